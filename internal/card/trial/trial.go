// Package trial builds small kernels that try a card: for the tests of package gpu and for girih-gpu selftest.
package trial

import "girih/ptx"

// Add returns the kernel add(x, y, sum, n), which adds two vectors of n floats, one element per thread.
func Add() *ptx.Builder {
	b := ptx.NewKernel("add")
	x, y, sum := b.Param(ptx.U64, "x"), b.Param(ptx.U64, "y"), b.Param(ptx.U64, "sum")
	n := b.Let(ptx.U32, "ld.param.u32", ptx.Addr{Base: b.Param(ptx.U32, "n")})
	i := b.Let(ptx.U32, "mov.u32", ptx.Name("%ctaid.x"))
	b.Emit("mad.lo.u32", i, i, b.Let(ptx.U32, "mov.u32", ptx.Name("%ntid.x")), b.Let(ptx.U32, "mov.u32", ptx.Name("%tid.x")))
	at := func(p ptx.Name) ptx.Addr {
		a := b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: p})
		b.Emit("mad.wide.u32", a, i, ptx.Int(4), a)
		return ptx.Addr{Base: a}
	}
	b.If(b.Let(ptx.Pred, "setp.lt.u32", i, n), func() {
		v := b.Let(ptx.F32, "ld.global.f32", at(x))
		b.Emit("add.f32", v, v, b.Let(ptx.F32, "ld.global.f32", at(y)))
		b.Emit("st.global.f32", at(sum), v)
	})
	b.Emit("ret")
	return b
}

// BankLoads is the number of loads that [Banks] times.
const BankLoads = 256

// Banks returns the kernel banks(out, stride) of one warp. It times dependent loads from shared memory, whose words
// hold their own addresses: lane l begins at word l·stride. Lane l stores its cycles for [BankLoads] loads in the
// 32-bit word 2·l of out.
func Banks() *ptx.Builder {
	const words = 1024
	b := ptx.NewKernel("banks")
	p := b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: b.Param(ptx.U64, "out")})
	stride := b.Let(ptx.U32, "ld.param.u32", ptx.Addr{Base: b.Param(ptx.U32, "stride")})
	shared := b.Declare(&ptx.Var{Space: ptx.Shared, Align: 128, Type: ptx.B8, Name: "words", Dims: []int64{4 * words}})
	base := b.Let(ptx.U32, "mov.u32", shared)
	lane := b.Let(ptx.U32, "mov.u32", ptx.Name("%tid.x"))
	b.For(ptx.Range{Type: ptx.U32, From: lane, To: ptx.Int(words), Step: 32}, func(i ptx.Name) {
		a := b.Let(ptx.U32, "mad.lo.u32", i, ptx.Int(4), base)
		b.Emit("st.shared.u32", ptx.Addr{Base: a}, a)
	})
	b.Emit("bar.sync", ptx.Int(0))
	a := b.Let(ptx.U32, "mul.lo.u32", lane, stride)
	b.Emit("mad.lo.u32", a, a, ptx.Int(4), base)
	from := b.Let(ptx.U32, "mov.u32", ptx.Name("%clock"))
	b.For(ptx.Range{Type: ptx.U32, From: ptx.Int(0), To: ptx.Int(BankLoads), Step: 1}, func(ptx.Name) {
		b.Emit("ld.volatile.shared.u32", a, ptx.Addr{Base: a})
	})
	b.Emit("add.u32", a, a, ptx.Int(0))
	to := b.Let(ptx.U32, "mov.u32", ptx.Name("%clock"))
	b.Emit("sub.u32", to, to, from)
	b.Emit("mad.wide.u32", p, lane, ptx.Int(8), p)
	b.Emit("st.global.v2.u32", ptx.Addr{Base: p}, ptx.Vec{to, a})
	b.Emit("ret")
	return b
}
