/* Structured regions: `data` and kernels. */
#include "regions.h"

#include "acquire.h"
#include "map_kinds.h"

#include <stdlib.h>
#include <string.h>

static void *duplicate(const void *from, size_t bytes)
{
    void *to = malloc(bytes ? bytes : 1);
    if (!to)
        abort();
    memcpy(to, from, bytes);
    return to;
}

/* A copy: the compiler's arrays live on the caller's stack and are gone when the region ends. */
static struct clauses kept(struct clauses c)
{
    return (struct clauses){
        .count = c.count,
        .hosts = duplicate(c.hosts, c.count * sizeof *c.hosts),
        .sizes = duplicate(c.sizes, c.count * sizeof *c.sizes),
        .kinds = duplicate(c.kinds, c.count * sizeof *c.kinds),
    };
}

struct region *enter_region(struct clauses clauses, bool devices, const void *at,
                            enum reason reason)
{
    struct region *region = calloc(1, sizeof *region);
    size_t slots = clauses.count + 1;
    if (!region || !(region->acquired = calloc(slots, sizeof *region->acquired))
        || !(region->temporaries = calloc(slots, sizeof *region->temporaries)))
        abort();
    if (devices && !(region->devices = calloc(slots, sizeof *region->devices)))
        abort();
    region->clauses = kept(clauses);
    /* host_data writes device addresses into the caller's own array. */
    struct acquisition acquisition = {clauses, region->devices, region, at, reason};
    acquire(&acquisition);
    return region;
}

static void release(struct mapping *mapping, const void *at)
{
    if (mapping->structured)
        mapping->structured--;
    if (!mapping->structured && !mapping->dynamic)
        remove_mapping(mapping, at);
}

static void leave_clause(struct region *region, size_t i, const void *at, enum reason reason)
{
    struct clauses *c = &region->clauses;
    enum map_kind kind = map_kind_of(c->kinds[i]);
    struct mapping *mapping = region->acquired[i];
    if (!mapping)
        return;
    bool last = mapping->structured <= 1 && !mapping->dynamic;
    if (kind == MAP_STRUCT) {
        for (size_t member = i + 1; member <= i + c->sizes[i] && last; member++)
            if (copies_to_host(map_kind_of(c->kinds[member])))
                copy_to_host(mapping, c->hosts[member], c->sizes[member], at, reason);
    } else if (copies_to_host(kind) && (last || is_always_kind(kind))) {
        copy_to_host(mapping, c->hosts[i], c->sizes[i], at, reason);
    }
    release(mapping, at);
}

void leave_region(struct region *region, const void *at, enum reason reason)
{
    struct clauses *c = &region->clauses;
    for (size_t i = c->count; i-- > 0;)
        if (map_kind_of(c->kinds[i]) == MAP_ATTACH && region->acquired[i])
            detach_pointer(c->hosts[i], false);
    for (size_t i = c->count; i-- > 0;)
        if (map_kind_of(c->kinds[i]) != MAP_ATTACH)
            leave_clause(region, i, at, reason);
    for (size_t i = 0; i < region->temporary_count; i++)
        free(region->temporaries[i]);
    free(c->hosts);
    free(c->sizes);
    free(c->kinds);
    free(region->acquired);
    free(region->devices);
    free(region->temporaries);
    free(region);
}
