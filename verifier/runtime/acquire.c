#include "acquire.h"

#include "findings.h"
#include "map_kinds.h"
#include "validity.h"

#include <stdlib.h>
#include <string.h>

static void set_device(const struct acquisition *a, size_t i, void *device)
{
    if (a->devices)
        a->devices[i] = device;
}

static void *temporary(const struct acquisition *a, const void *from, size_t bytes)
{
    void *copy = malloc(bytes < 64 ? 64 : bytes);
    if (!copy)
        abort();
    memcpy(copy, from, bytes);
    a->region->temporaries[a->region->temporary_count++] = copy;
    return copy;
}

static void retain(const struct acquisition *a, size_t i, struct mapping *mapping)
{
    if (a->region) {
        mapping->structured++;
        a->region->acquired[i] = mapping;
    } else {
        mapping->dynamic++;
    }
}

static struct mapping *map_new(const struct acquisition *a, void *host, size_t size)
{
    if (overlapping_mapping(host, size))
        stop_with_finding(PARTIALLY_PRESENT, a->at, host, size,
                          "only a part of the data is on the device");
    return add_mapping(host, size, a->at);
}

static void fill_new(const struct acquisition *a, struct mapping *mapping, size_t i)
{
    const struct clauses *c = &a->clauses;
    if (copies_to_device(map_kind_of(c->kinds[i])))
        copy_to_device(mapping, c->hosts[i], c->sizes[i], a->at, a->reason);
    else
        record_transfer(a->at, a->reason, ALLOCATION, c->sizes[i], false);
}

static void acquire_data(const struct acquisition *a, size_t i)
{
    const struct clauses *c = &a->clauses;
    void *host = c->hosts[i];
    if (!host)
        return;
    if (!c->sizes[i]) {
        char *device = device_address(host);
        set_device(a, i, device ? device : host);
        return;
    }
    struct mapping *mapping = find_mapping(host, c->sizes[i]);
    if (!mapping) {
        mapping = map_new(a, host, c->sizes[i]);
        fill_new(a, mapping, i);
    } else if (is_always_kind(map_kind_of(c->kinds[i])) && copies_to_device(map_kind_of(c->kinds[i]))) {
        copy_to_device(mapping, host, c->sizes[i], a->at, a->reason);
    }
    retain(a, i, mapping);
    set_device(a, i, in_device_copy(mapping, host));
}

static void require_present(const struct acquisition *a, size_t i)
{
    void *host = a->clauses.hosts[i];
    size_t size = a->clauses.sizes[i];
    if (!host || !size) {
        char *device = host ? device_address(host) : NULL;
        set_device(a, i, device ? device : host);
        return;
    }
    struct mapping *mapping = find_mapping(host, size);
    if (!mapping) {
        bool partly = overlapping_mapping(host, size) != NULL;
        stop_with_finding(partly ? PARTIALLY_PRESENT : NOT_PRESENT, a->at, host, size,
                          partly ? "only a part of the data is on the device"
                                 : "data said to be present is not on the device");
    }
    retain(a, i, mapping);
    set_device(a, i, in_device_copy(mapping, host));
}

/* The device's value of a pointer: the device copy of what it points to, less the bias by which
   the mapped section starts behind the pointer's target. */
static void *translated(const struct acquisition *a, size_t i, void *pointer, size_t bias)
{
    if (!pointer)
        return NULL;
    char *device = device_address((char *)pointer + bias);
    if (!device && i > 0 && a->clauses.hosts[i - 1])
        device = device_address(a->clauses.hosts[i - 1]);
    return device ? device - bias : pointer;
}

static void acquire_pointer(const struct acquisition *a, size_t i)
{
    if (!a->devices)
        return; /* the kernel inside brings its own pointer */
    void **slot = a->clauses.hosts[i];
    void *value = translated(a, i, *slot, a->clauses.sizes[i]);
    a->devices[i] = temporary(a, &value, sizeof value);
}

/* A descriptor in a mapped structure must hold the host's bounds; OpenACC says that attaching
   brings them over, libgomp does not, so bring them and say so. */
static void refresh_bounds(const struct acquisition *a, size_t i, struct mapping *mapping)
{
    char *host = a->clauses.hosts[i];
    char *device = in_device_copy(mapping, host);
    size_t pointer = sizeof(void *), rest = a->clauses.sizes[i] - pointer;
    bool unused = mapping->from_members && !a->devices; /* until a kernel names the component */
    if (unused || memcmp(host + pointer, device + pointer, rest) == 0)
        return;
    report_finding(STALE_DESCRIPTOR, a->at, mapping, host,
                   mapping->from_members
                       ? "only components of the structure are mapped: libgomp attaches their data "
                         "but not their bounds"
                       : "the structure was mapped before the component was allocated: libgomp "
                         "attaches the data but not the bounds");
    memcpy(device + pointer, host + pointer, rest);
    validity_set_by_runtime(mapping, host + pointer, rest);
}

/* An array descriptor with the pointers (at most one in Fortran) that follow it. */
static size_t acquire_descriptor(const struct acquisition *a, size_t i)
{
    const struct clauses *c = &a->clauses;
    struct mapping *mapping = find_mapping(c->hosts[i], c->sizes[i]);
    if (mapping) {
        refresh_bounds(a, i, mapping);
        set_device(a, i, in_device_copy(mapping, c->hosts[i]));
    } else if (a->devices) {
        a->devices[i] = temporary(a, c->hosts[i], c->sizes[i]);
    }
    size_t next = i + 1;
    for (; next < c->count && map_kind_of(c->kinds[next]) == MAP_POINTER; next++) {
        if (!a->devices)
            continue;
        size_t offset = (size_t)((char *)c->hosts[next] - (char *)c->hosts[i]);
        void **slot = (void **)((char *)a->devices[i] + offset);
        *slot = translated(a, i, *(void **)c->hosts[next], c->sizes[next]);
        a->devices[next] = slot;
    }
    return next - 1;
}

static void acquire_attachment(const struct acquisition *a, size_t i)
{
    void **slot = a->clauses.hosts[i];
    if (!attach_pointer(slot, a->clauses.sizes[i])) {
        bool mapped = find_mapping(slot, sizeof *slot) != NULL;
        stop_with_finding(ATTACH_ABSENT, a->at, slot, sizeof *slot,
                          mapped ? "the target of the pointer is not on the device"
                                 : "the structure that holds the pointer is not on the device");
    }
    if (a->region)
        a->region->acquired[i] = find_mapping(slot, sizeof *slot);
    set_device(a, i, device_address(slot));
}

/* Members of a structure. Where the structure is mapped as a whole they are part of it; otherwise
   they get one mapping together, which each member holds once. Returns the last member. */
static size_t acquire_members(const struct acquisition *a, size_t i)
{
    const struct clauses *c = &a->clauses;
    size_t last = i + c->sizes[i];
    char *begin = c->hosts[i + 1];
    char *end = (char *)c->hosts[last] + c->sizes[last];
    struct mapping *mapping = find_mapping(begin, (size_t)(end - begin));
    bool created = !mapping;
    if (created) {
        mapping = map_new(a, begin, (size_t)(end - begin));
        mapping->from_members = true;
    }
    for (size_t member = i + 1; member <= last; member++) {
        if (created && copies_to_device(map_kind_of(c->kinds[member])))
            copy_to_device(mapping, c->hosts[member], c->sizes[member], a->at, a->reason);
        set_device(a, member, in_device_copy(mapping, c->hosts[member]));
    }
    if (a->region)
        retain(a, i, mapping);
    else if (mapping->from_members)
        mapping->dynamic += (unsigned)c->sizes[i];
    set_device(a, i, in_device_copy(mapping, begin) + ((char *)c->hosts[i] - begin));
    return last;
}

static void use_device_address(const struct acquisition *a, size_t i, bool required)
{
    char *device = a->clauses.hosts[i] ? device_address(a->clauses.hosts[i]) : NULL;
    if (device)
        a->clauses.hosts[i] = device;
    else if (required && a->clauses.hosts[i])
        stop_with_finding(NOT_PRESENT, a->at, a->clauses.hosts[i], a->clauses.sizes[i],
                          "host_data names data that is not on the device");
}

/* Kinds that neither hold nor copy anything. */
static void pass_address(const struct acquisition *a, size_t i, enum map_kind kind)
{
    void *host = a->clauses.hosts[i];
    char *device = host && kind != MAP_DEVICEPTR && kind != MAP_FIRSTPRIVATE_INT
                       ? device_address(host)
                       : NULL;
    if (kind == MAP_ZERO_LENGTH)
        set_device(a, i, device);
    else
        set_device(a, i, device ? device : host);
}

/* Returns the last clause that was dealt with. */
static size_t acquire_clause(const struct acquisition *a, size_t i)
{
    enum map_kind kind = map_kind_of(a->clauses.kinds[i]);
    switch (kind) {
    case MAP_STRUCT:
        return acquire_members(a, i);
    case MAP_TO_PSET:
        return acquire_descriptor(a, i);
    case MAP_POINTER:
    case MAP_ALWAYS_POINTER:
        acquire_pointer(a, i);
        return i;
    case MAP_FORCE_PRESENT:
        require_present(a, i);
        return i;
    case MAP_ATTACH:
        acquire_attachment(a, i);
        return i;
    case MAP_ATTACH_ZERO_LENGTH:
        attach_pointer(a->clauses.hosts[i], a->clauses.sizes[i]);
        return i;
    case MAP_FIRSTPRIVATE:
        if (a->devices)
            a->devices[i] = temporary(a, a->clauses.hosts[i], a->clauses.sizes[i]);
        return i;
    case MAP_USE_DEVICE:
    case MAP_USE_DEVICE_IF_PRESENT:
        use_device_address(a, i, kind == MAP_USE_DEVICE);
        return i;
    default:
        if (is_data_kind(kind))
            acquire_data(a, i);
        else
            pass_address(a, i, kind);
        return i;
    }
}

void acquire(const struct acquisition *a)
{
    for (size_t i = 0; i < a->clauses.count; i++)
        i = acquire_clause(a, i);
}
