// Package follow says where the data of a kernel goes, hop by hop: global memory, shared memory, registers, the
// operands of an MMA, its sums, and back. It turns the record of a run ([sim.Recording]) into places with cells, and
// accesses that move elements between cells. It computes no layout: every cell and every element comes from the run,
// and names and layouts come from the kernel.
package follow
