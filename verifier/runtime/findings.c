#include "findings.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct finding findings[MAX_FINDINGS];
size_t finding_count, findings_dropped;

static const struct {
    const char *name;
    bool error;
} KINDS[FINDING_KINDS] = {
    [NOT_PRESENT] = {"not-present", true},
    [PARTIALLY_PRESENT] = {"partially-present", true},
    [UPDATE_ABSENT] = {"update-absent", true},
    [EXIT_ABSENT] = {"exit-absent", false},
    [ATTACH_ABSENT] = {"attach-absent", true},
    [OUT_OF_BOUNDS] = {"out-of-bounds", true},
    [SECTION_OVERRUN] = {"section-overrun", false},
    [COMPONENT_UPDATE] = {"component-update", false},
    [ATTACHED_COPY] = {"attached-copy", true},
    [STALE_DESCRIPTOR] = {"stale-descriptor", false},
    [STALE_ON_HOST] = {"stale-on-host", true},
    [STALE_ON_DEVICE] = {"stale-on-device", true},
    [UNINITIALISED] = {"uninitialised", true},
    [RACE_WRITE_WRITE] = {"race-write-write", true},
    [RACE_WRITE_READ] = {"race-write-read", true},
    [RACE_READ_WRITE] = {"race-read-write", true},
    [RACE_BETWEEN_LOOPS] = {"race-between-loops", true},
    [HOST_MEMORY_IN_KERNEL] = {"host-memory-in-kernel", false},
    [FREED_WHILE_MAPPED] = {"freed-while-mapped", true},
    [UNWATCHED_SEND] = {"unwatched-send", false},
};

const char *finding_name(enum finding_kind kind)
{
    return KINDS[kind].name;
}

bool finding_is_error(enum finding_kind kind)
{
    return KINDS[kind].error || (kind == EXIT_ABSENT && getenv("ACCLIMATE_STRICT_EXIT"));
}

struct finding *report_finding(enum finding_kind kind, const void *at,
                               const struct mapping *mapping, const void *host, const char *detail)
{
    for (size_t i = 0; i < finding_count; i++)
        if (findings[i].kind == kind && findings[i].at == at) {
            findings[i].count++;
            return &findings[i];
        }
    if (finding_count == MAX_FINDINGS) {
        findings_dropped++;
        return NULL;
    }
    struct finding *finding = &findings[finding_count++];
    *finding = (struct finding){.kind = kind, .at = at, .count = 1, .object = host, .detail = detail};
    if (mapping) {
        finding->mapped_at = mapping->site;
        finding->object = mapping->host;
        finding->object_size = mapping->size;
        finding->offset = (size_t)((const char *)host - mapping->host);
    }
    return finding;
}

static _Noreturn void stop(void)
{
    fflush(NULL);
    write_report("finding");
    _exit(EXIT_FINDING);
}

void stop_if_asked(void)
{
    if (getenv("ACCLIMATE_STOP"))
        stop();
}

void stop_with_finding(enum finding_kind kind, const void *at, const void *host, size_t size,
                       const char *detail)
{
    struct finding *finding = report_finding(kind, at, overlapping_mapping(host, size), host, detail);
    if (finding && !finding->mapped_at)
        finding->object_size = size;
    fprintf(stderr, "acclimate: %s: %s (%zu bytes)\n", finding_name(kind), detail, size);
    stop();
}
