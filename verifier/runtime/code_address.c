#define _GNU_SOURCE
#include "code_address.h"

#include <dlfcn.h>
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_MODULES 64

static struct {
    uintptr_t base;
    bool fixed; /* not position independent: debug information holds absolute addresses */
    char *path;
} modules[MAX_MODULES];
static size_t modules_known;

static uintptr_t program_begin, program_end, data_begin, data_end, stack_top;

static int visit_program(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    program_begin = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD)
            continue;
        uintptr_t begin = info->dlpi_addr + header->p_vaddr, end = begin + header->p_memsz;
        if (begin < program_begin)
            program_begin = begin;
        if (end > program_end)
            program_end = end;
        if (header->p_flags & PF_W) {
            data_begin = begin;
            data_end = end;
        }
    }
    return 1; /* the first object is the program */
}

void locate_program(void)
{
    dl_iterate_phdr(visit_program, NULL);
    stack_top = (uintptr_t)__builtin_frame_address(0) + (1u << 20);
}

uint32_t code_offset(const void *code)
{
    uintptr_t address = (uintptr_t)code;
    if (address < program_begin || address >= program_end)
        return 0;
    uintptr_t offset = address - program_begin + 1;
    return offset < (1u << 29) ? (uint32_t)offset : 0;
}

const void *code_at(uint32_t offset)
{
    return offset ? (const void *)(program_begin + offset - 1) : NULL;
}

const void *program_code(uintptr_t offset)
{
    uintptr_t base = program_begin & ~(uintptr_t)4095;
    bool fixed = ((const ElfW(Ehdr) *)base)->e_type == ET_EXEC;
    return (const void *)(offset + (fixed ? 0 : base));
}

bool is_stack_address(const void *address)
{
    return (uintptr_t)address < stack_top && (uintptr_t)address > stack_top - (1u << 30);
}

bool is_static_address(const void *address)
{
    return (uintptr_t)address >= data_begin && (uintptr_t)address < data_end;
}

static int known_module(const Dl_info *info)
{
    for (size_t i = 0; i < modules_known; i++)
        if (modules[i].base == (uintptr_t)info->dli_fbase)
            return (int)i;
    if (modules_known == MAX_MODULES)
        return -1;
    const ElfW(Ehdr) *header = info->dli_fbase;
    char path[PATH_MAX];
    bool program = (uintptr_t)info->dli_fbase == (program_begin & ~(uintptr_t)4095);
    ssize_t length = program ? readlink("/proc/self/exe", path, sizeof path - 1) : -1;
    if (length >= 0)
        path[length] = '\0';
    modules[modules_known].base = (uintptr_t)info->dli_fbase;
    modules[modules_known].fixed = header->e_type == ET_EXEC;
    modules[modules_known].path = strdup(length >= 0 ? path : info->dli_fname);
    return (int)modules_known++;
}

int module_of(const void *address, uintptr_t *offset)
{
    Dl_info info;
    if (!address || !dladdr(address, &info))
        return -1;
    int module = known_module(&info);
    if (module >= 0)
        *offset = (uintptr_t)address - (modules[module].fixed ? 0 : modules[module].base);
    return module;
}

size_t module_count(void)
{
    return modules_known;
}

const char *module_path(size_t module)
{
    return modules[module].path;
}
