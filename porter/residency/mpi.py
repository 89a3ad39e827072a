"""What MPI procedures do to their buffers, by argument position (MPI 4.0, language bindings)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BufferUse:
    """Positions of buffers a procedure reads and writes.

    With `request` set the transfer only ends in a wait on the request at that position.
    """

    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    request: int | None = None


BUFFERS = {
    "mpi_send": BufferUse(reads=(0,)),
    "mpi_ssend": BufferUse(reads=(0,)),
    "mpi_bsend": BufferUse(reads=(0,)),
    "mpi_rsend": BufferUse(reads=(0,)),
    "mpi_recv": BufferUse(writes=(0,)),
    "mpi_sendrecv": BufferUse(reads=(0,), writes=(5,)),
    "mpi_sendrecv_replace": BufferUse(reads=(0,), writes=(0,)),
    "mpi_isend": BufferUse(reads=(0,), request=6),
    "mpi_issend": BufferUse(reads=(0,), request=6),
    "mpi_irecv": BufferUse(writes=(0,), request=6),
    "mpi_bcast": BufferUse(reads=(0,), writes=(0,)),
    "mpi_reduce": BufferUse(reads=(0,), writes=(1,)),
    "mpi_allreduce": BufferUse(reads=(0,), writes=(1,)),
    "mpi_scan": BufferUse(reads=(0,), writes=(1,)),
    "mpi_gather": BufferUse(reads=(0,), writes=(3,)),
    "mpi_gatherv": BufferUse(reads=(0,), writes=(3,)),
    "mpi_allgather": BufferUse(reads=(0,), writes=(3,)),
    "mpi_allgatherv": BufferUse(reads=(0,), writes=(3,)),
    "mpi_scatter": BufferUse(reads=(0,), writes=(3,)),
    "mpi_scatterv": BufferUse(reads=(0,), writes=(4,)),
    "mpi_alltoall": BufferUse(reads=(0,), writes=(3,)),
    "mpi_alltoallv": BufferUse(reads=(0,), writes=(4,)),
}

WAITS = {"mpi_wait": 0, "mpi_waitall": 1, "mpi_waitany": 1, "mpi_waitsome": 1}
"""Position of the request argument of the procedures that end a transfer."""

_WITHOUT_BUFFERS = """
    mpi_abort mpi_barrier mpi_cart_coords mpi_cart_create mpi_cart_shift mpi_comm_dup mpi_comm_free
    mpi_comm_rank mpi_comm_size mpi_comm_split mpi_dims_create mpi_finalize mpi_finalized
    mpi_get_processor_name mpi_init mpi_init_thread mpi_initialized mpi_type_commit
    mpi_type_contiguous mpi_type_free mpi_type_vector
"""
WITHOUT_BUFFERS = frozenset(_WITHOUT_BUFFERS.split())
