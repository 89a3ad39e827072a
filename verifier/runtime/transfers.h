/* Copies between a host range and its device copy. */
#ifndef ACCLIMATE_TRANSFERS_H
#define ACCLIMATE_TRANSFERS_H

#include "ledger.h"
#include "present_table.h"

void copy_to_device(struct mapping *mapping, const void *host, size_t size, const void *at,
                    enum reason reason);
void copy_to_host(struct mapping *mapping, void *host, size_t size, const void *at,
                  enum reason reason);

#endif
