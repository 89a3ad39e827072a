/* Blocks of memory, and their copies and fills. */
#ifndef ACCLIMATE_ORACLE_C_LIBRARY_H
#define ACCLIMATE_ORACLE_C_LIBRARY_H

void keep_room_between_blocks(void);

#endif
