/* Defects seen while the program ran, one record per kind and place. */
#ifndef ACCLIMATE_FINDINGS_H
#define ACCLIMATE_FINDINGS_H

#include "present_table.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum finding_kind {
    NOT_PRESENT,
    PARTIALLY_PRESENT,
    UPDATE_ABSENT,
    EXIT_ABSENT,
    ATTACH_ABSENT,
    OUT_OF_BOUNDS,
    SECTION_OVERRUN,
    COMPONENT_UPDATE,
    ATTACHED_COPY,
    STALE_DESCRIPTOR,
    STALE_ON_HOST,
    STALE_ON_DEVICE,
    UNINITIALISED,
    RACE_WRITE_WRITE,
    RACE_WRITE_READ,
    RACE_READ_WRITE,
    RACE_BETWEEN_LOOPS,
    HOST_MEMORY_IN_KERNEL,
    FREED_WHILE_MAPPED,
    UNWATCHED_SEND,
    FINDING_KINDS
};

struct finding {
    enum finding_kind kind;
    const void *at;     /* return address of the directive, or code address of the access */
    const void *writer; /* code address of the other access, or NULL */
    const void *mapped_at;
    const void *object; /* first host byte of the mapped range */
    size_t object_size;
    size_t offset; /* of the access in the range, B */
    size_t count;
    int loop; /* governed loop whose iterations `earlier` and `later` collide, 0 if none */
    int64_t earlier, later;
    const char *detail;
};

#define MAX_FINDINGS 256

extern struct finding findings[MAX_FINDINGS];
extern size_t finding_count, findings_dropped;

const char *finding_name(enum finding_kind kind);
bool finding_is_error(enum finding_kind kind);

/* `mapping` may be NULL; `host` is the host address concerned. */
struct finding *report_finding(enum finding_kind kind, const void *at,
                               const struct mapping *mapping, const void *host,
                               const char *detail);

/* Record the finding, write the report and end the run with EXIT_FINDING. */
_Noreturn void stop_with_finding(enum finding_kind kind, const void *at, const void *host,
                                 size_t size, const char *detail);

/* Where the environment asks for it, end the run as above: what is known now is enough. */
void stop_if_asked(void);

#define EXIT_FINDING 97

#endif
