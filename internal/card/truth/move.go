package truth

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// This file makes the experiments on copies: ldmatrix, stmatrix, movmatrix, cp.async, shuffles, loads and stores.
//
// A case has four images: memory, which is copied to shared memory or stays in global memory; registers of each thread;
// an address of each thread for the source; and one for the destination. The result has the registers of each thread
// and, spread over the threads, the final shared memory.

// A transfer is the experiments on one copy.
type transfer struct {
	c                atom.Copy
	threads          int // threads per block: 32
	span             int // words of shared memory, source or destination
	registers, stays int // words per thread: the larger side in registers; its share of shared memory in the results
	src, dst         []int64
	values           int // the bits of the source and of the destination that belong to one thread
	valuesTo         int
	orders           [][]int // the orders of the rows whose addresses the threads pass
}

// Copy returns the experiments on a copy. It returns [cute.CodeType] for a copy that is not an instruction of its
// own, or that one thread starts with a descriptor or a barrier, and the errors of [lower.TargetFor].
func Copy(c atom.Copy, chip string) (*Probe, error) {
	x, target, err := newTransfer(c, chip)
	if err != nil {
		return nil, err
	}
	name := "probe_" + lower.Symbol(c.Name) + "_0"
	k, err := x.kernel(name)
	if err != nil {
		return nil, err
	}
	opcode, _, _ := strings.Cut(c.Text, ".")
	p := &Probe{Name: c.Name, Family: opcode, Target: target, Kernels: []*ptx.Func{k}, check: x.check}
	p.Batches = []Batch{x.experiments(name)}
	return p, nil
}

func newTransfer(c atom.Copy, chip string) (*transfer, lower.Target, error) {
	target, err := lower.TargetFor(c.Operation, chip)
	if err != nil {
		return nil, target, err
	}
	switch {
	case c.Kind == atom.BulkCopy || c.Kind == atom.TensorCopy:
		return nil, target, fail(cute.CodeType,
			"%s moves what one thread names with an address or a map; it has no table of threads", c.Name)
	case c.Kind == atom.TMEMCopy:
		return nil, target, fail(cute.CodeType, "%s needs tensor memory", c.Name)
	case c.From.Unit < 8:
		return nil, target, fail(cute.CodeType, "%s is no instruction: %s", c.Name, c.Text)
	}
	x := &transfer{c: c, threads: 32}
	if x.src, err = c.Src.AppendOffsets(nil); err != nil {
		return nil, target, err
	}
	if x.dst, err = c.Dst.AppendOffsets(nil); err != nil {
		return nil, target, err
	}
	x.values, x.valuesTo = len(x.src)/int(c.Threads()), len(x.dst)/int(c.Threads())
	x.registers = max(c.From.Registers(), c.To.Registers(), 1)
	x.span = 32 * 4 // 16 bytes for each thread
	x.stays = x.span / x.threads
	identity, other := make([]int, x.threads), make([]int, x.threads)
	for i := range identity {
		identity[i], other[i] = i, (i*5+3)%x.threads
	}
	x.orders = [][]int{identity}
	if c.From.Space != atom.Registers || c.To.Space != atom.Registers {
		x.orders = append(x.orders, other)
	}
	return x, target, nil
}

// kernel writes the kernel of a copy. Source and destination in shared memory are two arrays.
func (x *transfer) kernel(name string) (*ptx.Func, error) {
	k := newKernel(name, x.threads, x.registers+x.stays)
	source, destination := k.declareShared("source", x.span), k.declareShared("destination", x.span)
	k.toShared(source, 0, x.span, x.threads)
	empty := k.Let(ptx.U32, "mov.u32", ptx.Int(0))
	k.For(ptx.Range{Type: ptx.U32, From: k.tid, To: ptx.Int(x.span), Step: int64(x.threads)}, func(i ptx.Name) {
		k.Emit("st.shared.b32", ptx.Addr{Base: k.Let(ptx.U32, "mad.lo.u32", i, ptx.Int(4), destination)}, empty)
	})
	registers := k.Regs(ptx.B32, x.registers)
	k.load(registers, 32, 1, x.registers)
	at := k.Regs(ptx.U32, 2) // offsets in bytes
	k.load(at, 32, 2, 2)
	k.Emit("bar.sync", ptx.Int(0))
	side := func(s atom.CopySide, shared ptx.Name, at ptx.Operand) lower.Side {
		switch s.Space {
		case atom.Registers:
			return lower.Side{Operands: registers[:s.Registers()]}
		case atom.GlobalMemory:
			wide := k.Let(ptx.U64, "cvt.u64.u32", at)
			return lower.Side{Operands: ptx.Vec{k.Let(ptx.U64, "add.u64", wide, k.images[0])}, Space: ptx.Global}
		}
		return lower.Side{Operands: ptx.Vec{k.Let(ptx.U32, "add.u32", at, shared)}, Space: ptx.Shared}
	}
	src := side(x.c.From, source, at[0])
	dst := side(x.c.To, destination, at[1])
	if x.c.Kind == atom.AsyncCopy && strings.Contains(x.c.Text, "%2") { // the operand with the number of bytes to read
		src.Operands = append(src.Operands, k.Let(ptx.U32, "mov.u32", ptx.Int(x.c.From.Unit/8)))
	}
	if err := lower.Copy(k.Builder, x.c, dst, src); err != nil {
		return nil, err
	}
	if x.c.Kind == atom.AsyncCopy {
		k.Emit("cp.async.wait_all")
	}
	k.Emit("bar.sync", ptx.Int(0))
	k.store(registers, 32)
	mine := k.Let(ptx.U32, "mad.lo.u32", k.tid, ptx.Int(4*x.stays), destination)
	for i := range x.stays {
		v := k.Let(ptx.B32, "ld.shared.b32", ptx.Addr{Base: mine, Offset: int64(4 * i)})
		k.Emit("st.global.b32", ptx.Addr{Base: k.out, Offset: int64(4 * (x.registers + i))}, v)
	}
	k.Emit("ret")
	return k.Func()
}

// size is the number of bits of a side: of the registers of all threads, or of shared memory.
func (x *transfer) size(s atom.CopySide) int {
	if s.Space == atom.Registers {
		return x.threads * x.registers * 32
	}
	return x.span * 32
}

// digits is the number of digits needed to number the source bits from 1; 0 means no bit.
func (x *transfer) digits() int { return digitsFor(x.size(x.c.From)+1, 2) }

// experiments makes the batch: for each order of addresses the digits of the numbers of the bits, then their
// complements.
func (x *transfer) experiments(kernel string) Batch {
	b := &builder{kernel: kernel, threads: x.threads, words: x.registers + x.stays}
	for _, order := range x.orders {
		addresses := make([]uint32, 2*x.threads)
		for t := range x.threads {
			addresses[2*t], addresses[2*t+1] = uint32(16*order[t]), uint32(16*order[t])
		}
		at := b.image(addresses)
		for d := range 2 * x.digits() {
			data := make([]uint32, x.size(x.c.From)/32)
			for i := range 32 * len(data) {
				bit := uint32(i+1) >> (d % x.digits()) & 1
				if d >= x.digits() {
					bit ^= 1
				}
				data[i/32] |= bit << (i % 32)
			}
			memory, registers := make([]uint32, x.span), make([]uint32, x.threads*x.registers)
			if x.c.From.Space == atom.Registers {
				copy(registers, data)
			} else {
				copy(memory, data)
			}
			b.add(b.image(memory), b.image(registers), at, 0)
		}
	}
	return b.batch()
}

// bit returns the number of bit v of thread t on one side, with the addresses in the given order. A side of one thread
// is the same for all threads.
func (x *transfer) bit(s atom.CopySide, t, v int, order []int) int {
	if s.Space == atom.Registers {
		return t*x.registers*32 + v
	}
	return order[t]*128 + v
}

// expectedTable returns for each bit of the destination the number of the source bit that is copied there, or nothing.
func (x *transfer) expectedTable(order []int) []int32 {
	table := make([]int32, x.size(x.c.To))
	for i := range table {
		table[i] = nothing
	}
	threads := int(x.c.Threads())
	from := map[int64]int{} // number of the instruction's bit -> index of a source
	for i, n := range x.src {
		if _, ok := from[n]; !ok { // if several threads name the same row, the first thread counts
			from[n] = i
		}
	}
	seen := map[int64]bool{}
	for instance := range x.threads / threads {
		clear(seen)
		for i, n := range x.dst { // the thread is the fastest index
			if x.c.To.Space != atom.Registers && seen[n] {
				continue
			}
			seen[n] = true
			s, ok := from[n]
			if !ok {
				continue
			}
			to := x.bit(x.c.To, i%threads+instance*threads, i/threads, order)
			table[to] = int32(x.bit(x.c.From, s%threads+instance*threads, s/threads, order))
		}
	}
	return table
}

// check reads the table from the results and compares it.
func (x *transfer) check(outs [][]uint32) Finding {
	c := &cursor{out: outs[0], words: x.threads * (x.registers + x.stays)}
	f := Finding{}
	var observed [][]int32
	for _, order := range x.orders {
		got := x.read(c.take(2 * x.digits()))
		observed = append(observed, got)
		for i, want := range x.expectedTable(order) {
			if got[i] != want && f.First == "" {
				f.First = fmt.Sprintf("%s comes from %s, the table has %s",
					x.place(x.c.To, int32(i), order), x.place(x.c.From, got[i], order), x.place(x.c.From, want, order))
			}
		}
	}
	f.Cases, f.Agrees, f.Digest = c.cases, f.First == "", digest(observed...)
	return f
}

// predict returns the digest of the tables that check reads on a card that agrees with the table.
func (x *transfer) predict() string {
	var tables [][]int32
	for _, order := range x.orders {
		tables = append(tables, x.expectedTable(order))
	}
	return digest(tables...)
}

// read returns for each bit of the destination the number of the bit of the source.
func (x *transfer) read(cases [][]uint32) []int32 {
	n := len(cases) / 2
	table := make([]int32, x.size(x.c.To))
	for i := range table {
		word := i/32/x.registers*(x.registers+x.stays) + i/32%x.registers
		if x.c.To.Space != atom.Registers {
			word = i/32/x.stays*(x.registers+x.stays) + x.registers + i/32%x.stays
		}
		number, same := int32(0), 0
		for d := range n {
			bit, not := cases[d][word]>>(i%32)&1, cases[n+d][word]>>(i%32)&1
			number |= int32(bit) << d
			if bit == not {
				same++
			}
		}
		switch {
		case same == n && number == 0:
			table[i] = nothing // the bit is never written: both values are the initial 0
		case same > 0:
			table[i] = unclear
		default:
			table[i] = number - 1
		}
	}
	return table
}

// place names a bit of a side.
func (x *transfer) place(s atom.CopySide, i int32, order []int) string {
	switch {
	case i == nothing:
		return "nowhere"
	case i < 0:
		return "no single bit"
	case s.Space == atom.Registers:
		return fmt.Sprintf("bit %d of thread %d", int(i)%(x.registers*32), int(i)/(x.registers*32))
	}
	for t, row := range order {
		if row == int(i)/128 {
			return fmt.Sprintf("bit %d after the address of thread %d", i%128, t)
		}
	}
	return fmt.Sprintf("bit %d of memory", i)
}
