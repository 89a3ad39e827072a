#include "accesses.h"

#include "conflicts.h"
#include "dead_storage.h"
#include "trace.h"

static void granule_access(uintptr_t address, uint64_t granule, uint8_t bytes, bool writes,
                           uint32_t code)
{
    if (any_dead())
        dead_access(granule, bytes, writes, code);
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    for (int i = 0; i < depth; i++) {
        struct level *level = &levels[i];
        if (level->iteration && !(address < level->frame && address > here))
            level_access(level, address, granule, bytes, writes, code);
    }
}

void touch(const void *place, size_t size, bool writes, uint32_t code)
{
    uintptr_t address = (uintptr_t)place;
    if (!size || (!depth && !any_dead()) || !loops)
        return;
    trace_access(address, size, writes, code);
    uintptr_t end = address + size;
    for (uint64_t granule = address / 8; granule <= (end - 1) / 8; granule++) {
        uint8_t bytes = 0xff;
        uintptr_t first = granule * 8;
        if (first < address)
            bytes &= 0xff << (address - first);
        if (first + 8 > end)
            bytes &= 0xff >> (first + 8 - end);
        granule_access(first < address ? address : first, granule, bytes, writes, code);
    }
}
