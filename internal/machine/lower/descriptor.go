package lower

import (
	"girih/descriptor"
	"girih/ptx"
)

// DescriptorAt emits the computation of the descriptor of a matrix in a tile at an address of shared memory, a 32-bit
// register, and returns its register.
func DescriptorAt(b *ptx.Builder, d descriptor.Matrix, tile ptx.Operand) ptx.Name {
	low := b.Let(ptx.U32, "shr.u32", tile, ptx.Int(4))
	wide := b.Let(ptx.U64, "cvt.u64.u32", low)
	return b.Let(ptx.U64, "add.u64", wide, ptx.Int(d.Bits()))
}
