/* Copies between a host range and its device copy. */
#ifndef ACCLIMATE_TRANSFERS_H
#define ACCLIMATE_TRANSFERS_H

#include "ledger.h"
#include "present_table.h"

void copy_to_device(struct mapping *mapping, const void *host, size_t size, const void *at,
                    enum reason reason);
void copy_to_host(struct mapping *mapping, void *host, size_t size, const void *at,
                  enum reason reason);
/* In place of a copy: where it would change bytes, the side it goes to gets poison. */
void spoil_copy(struct mapping *mapping, void *host, size_t size, bool to_device, const void *at);

#endif
