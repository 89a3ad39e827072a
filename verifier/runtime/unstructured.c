/* `enter data`, `exit data` and `update`. */
#include "acquire.h"
#include "findings.h"
#include "map_kinds.h"
#include "regions.h"
#include "transfers.h"

#include <stdlib.h>

void enter_data(struct clauses clauses, const void *at, enum reason reason)
{
    struct acquisition acquisition = {clauses, NULL, NULL, at, reason};
    acquire(&acquisition);
}

/* The descriptor of a component is listed twice: as a member, and again as a descriptor. */
static bool is_descriptor_member(const struct clauses *c, size_t i)
{
    for (size_t j = i + 1; j < c->count; j++)
        if (map_kind_of(c->kinds[j]) == MAP_TO_PSET && c->hosts[j] == c->hosts[i])
            return true;
    return false;
}

static void exit_clause(const struct clauses *c, size_t i, const void *at, enum reason reason)
{
    enum map_kind kind = map_kind_of(c->kinds[i]);
    bool leaves = copies_to_host(kind) || kind == MAP_DELETE || kind == MAP_RELEASE;
    if (!leaves || !c->hosts[i] || !c->sizes[i])
        return;
    struct mapping *mapping = find_mapping(c->hosts[i], c->sizes[i]);
    if (!mapping) {
        if (overlapping_mapping(c->hosts[i], c->sizes[i]))
            stop_with_finding(PARTIALLY_PRESENT, at, c->hosts[i], c->sizes[i],
                              "exit data names more than what is on the device");
        report_finding(EXIT_ABSENT, at, NULL, c->hosts[i], "exit data: not on the device");
        return;
    }
    if (is_descriptor_member(c, i) && !mapping->from_members)
        return;
    bool finalize = kind == MAP_DELETE || kind == MAP_FORCE_FROM;
    if (mapping->dynamic)
        mapping->dynamic = finalize ? 0 : mapping->dynamic - 1;
    if (mapping->dynamic || mapping->structured)
        return;
    if (copies_to_host(kind))
        copy_to_host(mapping, c->hosts[i], c->sizes[i], at, reason);
    remove_mapping(mapping, at);
}

void exit_data(struct clauses c, const void *at, enum reason reason)
{
    for (size_t i = 0; i < c.count; i++) {
        enum map_kind kind = map_kind_of(c.kinds[i]);
        if (kind == MAP_DETACH || kind == MAP_FORCE_DETACH)
            detach_pointer(c.hosts[i], kind == MAP_FORCE_DETACH);
    }
    for (size_t i = 0; i < c.count; i++)
        exit_clause(&c, i, at, reason);
}

/* libgomp 12 takes the clause before an always-pointer for the data; for a Fortran component that
   is the descriptor, so the device's pointer ends up pointing at its own descriptor. */
static void warn_of_component_update(const struct clauses *c, size_t i, const void *at)
{
    struct mapping *mapping = find_mapping(c->hosts[i], sizeof(void *));
    if (mapping && i > 0 && map_kind_of(c->kinds[i - 1]) == MAP_TO_PSET)
        report_finding(COMPONENT_UPDATE, at, mapping, c->hosts[i],
                       "`update device` of an array component: libgomp 12 breaks its pointer on "
                       "the device; name the component by ASSOCIATE or a dummy argument");
}

static void update_range(struct mapping *mapping, void *host, size_t size, bool to_device,
                         const void *at, bool spoil)
{
    if (spoil)
        spoil_copy(mapping, host, size, to_device, at);
    else if (to_device)
        copy_to_device(mapping, host, size, at, BY_UPDATE);
    else
        copy_to_host(mapping, host, size, at, BY_UPDATE);
}

void update_data(struct clauses c, const void *at, bool spoil)
{
    bool to_device = false;
    for (size_t i = 0; i < c.count; i++) {
        enum map_kind kind = map_kind_of(c.kinds[i]);
        if (kind == MAP_ALWAYS_POINTER && to_device)
            warn_of_component_update(&c, i, at);
        if (!is_data_kind(kind) || !c.hosts[i] || !c.sizes[i])
            continue;
        struct mapping *mapping = overlapping_mapping(c.hosts[i], 1);
        to_device = mapping && copies_to_device(kind);
        if (mapping)
            update_range(mapping, c.hosts[i], c.sizes[i], to_device, at, spoil);
        else if (kind & 0x80)
            stop_with_finding(UPDATE_ABSENT, at, c.hosts[i], c.sizes[i],
                              "update of data that is not on the device");
    }
}

void declare_data(struct clauses clause, const void *at)
{
    enum map_kind kind = map_kind_of(clause.kinds[0]);
    bool leaves = kind == MAP_DELETE || kind == MAP_RELEASE || kind == MAP_FROM
                  || kind == MAP_FORCE_FROM;
    if (leaves)
        exit_data(clause, at, BY_DECLARE);
    else
        enter_data(clause, at, BY_DECLARE);
}
