package kernel_test

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/check/long"
	"girih/internal/machine/dot"
	"girih/internal/machine/lower"
	"girih/kernel"
	"girih/ptx"
	"girih/ptx/sim"
)

// A trial multiplies one tile with one instruction of each thread, in a kernel.
type trial struct {
	m       atom.MMA
	mma     atom.TiledMMA
	tile    [3]int64
	a, b, c [][]uint64 // codes, row by row: (M,K), (N,K), (M,N); a complex number is its parts, one after the other
	there   [][]bool   // which elements a sparse A holds
	rand    *rand.Rand
}

func newTrial(t *testing.T, m atom.MMA, r *rand.Rand) *trial {
	t.Helper()
	atoms := map[int64]string{1: "(4,8,1)", 8: "(2,2,1)"}[m.Threads()]
	if atoms == "" {
		atoms = "(1,1,1)"
	}
	mma, err := atom.MakeTiledMMA(m, cute.MustParse(atoms), cute.Keep)
	if err != nil {
		t.Fatalf("%s: %v", m.Name, err)
	}
	x := &trial{m: m, mma: mma, tile: mma.TileShape(), rand: r}
	x.a, x.b = x.draw(m.Types.A, 0, 2), x.draw(m.Types.B, 1, 2)
	x.c = x.draw(m.Types.C, 0, 1)
	if m.Sparse != nil {
		x.prune()
	}
	return x
}

// draw returns random codes of a matrix.
func (x *trial) draw(e atom.Element, rows, columns int) [][]uint64 {
	out := make([][]uint64, x.tile[rows])
	for i := range out {
		for range x.tile[columns] * int64(e.Parts) {
			out[i] = append(out[i], x.code(e))
		}
	}
	return out
}

func (x *trial) code(e atom.Element) uint64 {
	t := e.Type
	switch {
	case t.Kind() != dtype.Float:
		return x.rand.Uint64() & (1<<t.Bits() - 1) & math.MaxUint32
	case e.Parts > 1: // their sums are exact in any order
		c, _ := t.Encode(float64(x.rand.IntN(9) - 4))
		return c
	}
	c, err := t.Encode(math.Max(-3, math.Min(3, x.rand.NormFloat64())))
	if err != nil {
		panic(err)
	}
	return c
}

// prune chooses which elements of A are held.
func (x *trial) prune() {
	s := x.m.Sparse
	unit := max(s.Of/4, 1) // pairs of 4-bit elements stay together
	for i := range x.a {
		there := make([]bool, len(x.a[i]))
		for g := int64(0); g < int64(len(there)); g += s.Of {
			for _, j := range x.rand.Perm(int(s.Of / unit))[:s.Kept/unit] {
				for u := range unit {
					there[g+int64(j)*unit+u] = true
				}
			}
		}
		x.there = append(x.there, there)
		for j := range there {
			if !there[j] {
				x.a[i][j] = 0
			}
		}
	}
}

// held returns the elements that a sparse A stores, and the bits of the metadata: 4 for each group.
func (x *trial) held() (codes, metadata [][]uint64) {
	s := x.m.Sparse
	unit := max(s.Of/4, 1)
	for i, row := range x.a {
		var c, e []uint64
		for g := int64(0); g < int64(len(row)); g += s.Of {
			field, n := uint64(0), 0
			for j := range s.Of {
				if !x.there[i][g+j] {
					continue
				}
				c = append(c, row[g+j])
				if j%unit != 0 {
					continue
				}
				if s.Of == 2 {
					field = map[int64]uint64{0: 0b0100, 1: 0b1110}[j]
				} else {
					field |= uint64(j/unit) << (2 * n)
				}
				n++
			}
			for b := range 4 {
				e = append(e, field>>b&1)
			}
		}
		codes, metadata = append(codes, c), append(metadata, e)
	}
	return codes, metadata
}

// packBits returns codes of the given width as they are stored in memory.
func packBits(rows [][]uint64, bits int) []byte {
	var out []byte
	at := 0
	for _, row := range rows {
		for _, c := range row {
			for b := range bits {
				if at%8 == 0 {
					out = append(out, 0)
				}
				out[at/8] |= byte(c>>b&1) << (at % 8)
				at++
			}
		}
	}
	return out
}

// kernel traces the multiplication.
func (x *trial) kernel() (*kernel.Kernel, error) {
	t, tile := x.m.Types, x.tile
	threads := x.mma.Size()
	return kernel.Trace("one", threads, func(k *kernel.K) {
		tid := k.ThreadIdx()
		matrix := func(name string, e atom.Element, rows, columns int64) kernel.Tensor {
			typ := e.Type
			if e.Sparsity > 1 || e.Bits() != typ.Bits()*e.Parts {
				typ = map[int]dtype.Type{2: dtype.B2, 4: dtype.B4, 8: dtype.B8, 16: dtype.B16}[e.Bits()]
			}
			if e.Parts == 3 { // (rows,columns,parts)
				l := must(cute.New(cute.Ints(rows, columns, 3), cute.Ints(3*columns, 3, 1)))
				return k.GlobalLayout(name, typ, l)
			}
			columns *= int64(e.Parts)
			g := k.GlobalLayout(name, typ, must(cute.New(cute.Ints(rows, columns), cute.Ints(columns, 1))))
			if e.Parts == 2 {
				return k.Complex(g)
			}
			return g
		}
		gA, gB := matrix("A", t.A, tile[0], tile[2]), matrix("B", t.B, tile[1], tile[2])
		gC, gD := matrix("C", t.C, tile[0], tile[1]), matrix("D", t.D, tile[0], tile[1])
		thr := k.ThrMMA(x.mma, tid)
		side := func(o atom.Operand, g kernel.Tensor, from atom.Space) kernel.Tensor {
			partition, fragment := thr.PartitionA, thr.MakeFragmentA
			if o == atom.OperandB {
				partition, fragment = thr.PartitionB, thr.MakeFragmentB
			}
			if from == atom.Registers {
				part := partition(g)
				r := fragment(part)
				if !lower.IsWarpgroup(x.m) && x.rand.IntN(2) == 0 { // registers must be combined
					shape := must(x.mma.PartitionShape(o, cute.Ints(tile[x.axis(o)], tile[2])))
					if r = k.MakeFragment(r.Elem(), must(cute.LayoutRight(shape))); g.Elem() == dtype.F64 {
						r = fragment(part)
					}
				}
				k.Copy(part, r)
				return r
			}
			s := k.Shared("s"+o.String(), g.Elem(), x.shared(o))
			bytes := func(t kernel.Tensor) kernel.Tensor {
				if t.Elem().Bits() < 8 {
					t = k.Recast(t, dtype.U8)
				}
				return k.LocalPartition(t, cute.MustParse("(8,8):(8,1)"), tid.Mod(64))
			}
			k.If(tid.Less(kernel.Int(64)), func() { k.Copy(bytes(g), bytes(s)) })
			return fragment(partition(s))
		}
		rA, rB := side(atom.OperandA, gA, x.m.AFrom), side(atom.OperandB, gB, x.m.BFrom)
		if x.m.Sparse != nil {
			n := tile[2] * 4 / x.m.Sparse.Of
			gE := k.GlobalLayout("E", dtype.B1, must(cute.New(cute.Ints(tile[0], n), cute.Ints(n, 1))))
			part := thr.PartitionE(gE)
			rE := thr.MakeFragmentE(part)
			k.Copy(part, rE)
			rA = k.Zip(rA, rE, 0)
		}
		if f := x.m.Scale; f != nil {
			n := tile[2] / f.Vector
			factors := func(name string, rows int64) kernel.Tensor {
				return k.GlobalLayout(name, f.Type, must(cute.New(cute.Ints(rows, n), cute.Ints(n, 1))))
			}
			pA, pB := thr.PartitionSFA(factors("SFA", tile[0])), thr.PartitionSFB(factors("SFB", tile[1]))
			fA, fB := thr.MakeFragmentSFA(pA), thr.MakeFragmentSFB(pB)
			k.Copy(pA, fA)
			k.Copy(pB, fB)
			rA, rB = k.ZipSF(rA, fA), k.ZipSF(rB, fB)
		}
		if t.C.Parts == 3 {
			gC = k.Slice(gC, kernel.Open, kernel.Open, kernel.Int(0))
		}
		part := thr.PartitionC(gC)
		rC := thr.MakeFragmentC(part)
		if t.C.Type == dtype.F16 && !lower.IsWarpgroup(x.m) {
			shape := must(x.mma.PartitionShape(atom.OperandC, cute.Ints(tile[0], tile[1])))
			rC = k.MakeFragment(dtype.F16, must(cute.LayoutRight(shape)))
		}
		if t.C.Parts == 3 {
			k.Clear(rC)
		} else {
			k.Copy(part, rC)
		}
		if lower.IsWarpgroup(x.m) {
			k.FenceProxyAsync()
			k.Sync()
			k.WarpgroupArrive()
			k.GemmTiled(x.mma, rA, rB, rC)
			k.WarpgroupCommitBatch()
			k.WarpgroupWait(0)
		} else {
			k.GemmTiled(x.mma, rA, rB, rC)
		}
		if t.C.Parts == 3 {
			parts := k.Recast(rC, dtype.F64) // three per value
			for p := range int64(3) {
				to, zero := thr.PartitionC(k.Slice(gD, kernel.Open, kernel.Open, kernel.Int(p))), kernel.Int(0)
				n, _ := to.Extent(0).Int64()
				for v := range n {
					k.Store(k.Load(parts, kernel.Int(3*v+p), zero, zero), to, kernel.Int(v), zero, zero)
				}
			}
			return
		}
		k.Copy(rC, thr.PartitionC(gD))
	})
}

// axis returns the first axis of A or B.
func (x *trial) axis(o atom.Operand) int {
	if o == atom.OperandB {
		return 1
	}
	return 0
}

// shared returns the layout of an operand in shared memory.
func (x *trial) shared(o atom.Operand) cute.Composed {
	rows, columns := x.tile[0], x.tile[2]
	sparse := int64(1)
	if o == atom.OperandB {
		rows = x.tile[1]
	} else {
		sparse = int64(max(x.m.Types.A.Sparsity, 1))
	}
	for _, a := range slices.Backward(descriptor.AtomsOf(x.m, o)) {
		if sparse > 1 {
			s, err := a.Sparse(sparse)
			if err != nil {
				continue
			}
			a = s
		}
		if c, err := a.TileToShape(cute.Ints(rows, columns), cute.Tuple{}); err == nil {
			return c
		}
	}
	return cute.Composed{}
}

// want returns the codes of D.
func (x *trial) want() [][]uint64 {
	if t := x.m.Types; t.A.Parts > 1 || t.A.Type == dtype.S32 {
		return x.plain()
	}
	var out [][]uint64
	p := dot.NewProduct(must(dot.ModelOf(x.m)), len(x.units(x.a)[0]))
	var there []uint64
	for _, row := range x.there {
		for i, here := range row {
			if i%64 == 0 {
				there = append(there, 0)
			}
			if here {
				there[len(there)-1] |= 1 << (i % 64)
			}
		}
	}
	p.SetA(slices.Concat(x.units(x.a)...), there)
	p.SetB(slices.Concat(x.units(x.b)...))
	for i, row := range x.c {
		acc := slices.Clone(row)
		p.Row(i, acc)
		out = append(out, acc)
	}
	return out
}

// plain is want for complex numbers, whose sums are exact here, and for integers that wrap.
func (x *trial) plain() [][]uint64 {
	t := x.m.Types
	number := func(c uint64) float64 { return must(t.A.Type.Decode(c)) }
	var out [][]uint64
	for i := range x.c {
		var row []uint64
		for j := range x.b {
			if t.A.Type == dtype.S32 {
				row = append(row, uint64(uint32(x.c[i][j])+uint32(x.a[i][0])*uint32(x.b[j][0])))
				continue
			}
			n := t.C.Parts
			sums := make([]float64, n)
			if n == 2 {
				sums[0], sums[1] = number(x.c[i][2*j]), number(x.c[i][2*j+1])
			}
			for k := 0; k < len(x.a[i]); k += 2 {
				a, b := complex(number(x.a[i][k]), number(x.a[i][k+1])), complex(number(x.b[j][k]), number(x.b[j][k+1]))
				if n == 2 {
					sums[0], sums[1] = sums[0]+real(a*b), sums[1]+imag(a*b)
					continue
				}
				sums[0] += real(a) * real(b) // the three products of Gauss
				sums[1] += imag(a) * imag(b)
				sums[2] += (real(a) + imag(a)) * (real(b) + imag(b))
			}
			for _, s := range sums {
				row = append(row, must(t.C.Type.Encode(s)))
			}
		}
		out = append(out, row)
	}
	return out
}

// units returns groups of 32 single bits as codes.
func (x *trial) units(rows [][]uint64) [][]uint64 {
	if x.m.Types.A.Type != dtype.B1 {
		return rows
	}
	var out [][]uint64
	for _, row := range rows {
		data := packBits([][]uint64{row}, 1)
		var words []uint64
		for ; len(data) > 0; data = data[4:] {
			words = append(words, uint64(binary.LittleEndian.Uint32(data)))
		}
		out = append(out, words)
	}
	return out
}

// run runs the kernel in the simulator and returns the codes of D.
func (x *trial) run(t *testing.T, k *kernel.Kernel) [][]uint64 {
	t.Helper()
	types := x.m.Types
	a, e := x.a, [][]uint64(nil)
	if x.m.Sparse != nil {
		a, e = x.held()
	}
	size := types.D.Type.Bits()
	columns := x.tile[1] * int64(types.D.Parts)
	d := make([]byte, x.tile[0]*columns*int64(size)/8)
	data := map[string][]byte{
		"A": packBits(a, types.A.Type.Bits()), "B": packBits(x.b, types.B.Type.Bits()),
		"C": packBits(x.c, types.C.Type.Bits()), "D": d, "E": packBits(e, 1),
	}
	out := launchBytes(t, k, data)["D"]
	var codes [][]uint64
	got := out
	for range x.tile[0] {
		var row []uint64
		for range columns {
			c := uint64(0)
			for j := range size / 8 {
				c |= uint64(got[j]) << (8 * j)
			}
			row = append(row, c)
			got = got[size/8:]
		}
		codes = append(codes, row)
	}
	return codes
}

// launchBytes runs one block of a kernel on tensors as they are stored in memory, and returns their contents
// afterwards.
func launchBytes(t *testing.T, k *kernel.Kernel, data map[string][]byte) map[string][]byte {
	t.Helper()
	p := must(sim.Load(k.Module))
	m := must(p.NewMemory())
	var args []sim.Arg
	buffers := map[string]*sim.Buffer{}
	for _, q := range k.Params {
		b := must(m.Put(q.Name, data[q.Name]))
		buffers[q.Name] = b
		args = append(args, sim.Pointer(b, 0))
	}
	r, err := p.Run(context.Background(), m, sim.Launch{
		Grid: sim.Dim{X: 1}, Block: sim.Dim{X: int(k.Threads)}, Args: args, Shared: int(k.Dynamic),
	})
	if err != nil || len(r.Findings) > 0 {
		var text strings.Builder
		k.Module.WriteTo(&text)
		t.Fatalf("%v\n%s", err, numbered(text.String()))
	}
	out := map[string][]byte{}
	for name, b := range buffers {
		out[name] = b.Bytes()
	}
	return out
}

// TestEveryMMA multiplies with every instruction of the tables for sm_70 to sm_90a, and compares the sums with a
// card's, bit for bit. Instructions of sm_100 and sm_120 with operands in registers are emitted, but their sums were
// never measured; all other instructions must be refused.
func TestEveryMMA(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	r := rand.New(rand.NewPCG(7, 8))
	var all []atom.MMA
	for m := range atom.MMAs() {
		all = append(all, m)
		if m.Threads() != 128 || m.Types.A.Type.Bits() != 16 || m.BFrom != atom.SharedMemory {
			continue
		}
		for _, majors := range []string{"<K,MN>", "<MN,K>", "<MN,MN>"} { // their names differ in the majors only
			if m.Shape[1] == 8 || m.Shape[1] == 256 {
				if v, err := atom.FindMMA(m.Name + majors); err == nil {
					all = append(all, v)
				}
			}
		}
	}
	for m := range atom.BareMMAs() {
		all = append(all, m)
	}
	done := map[string]int{}
	for _, m := range all {
		if m.Threads() == 128 && m.Shape[1] != 8 && (m.Shape[1] != 256 || !strings.Contains(m.Name, "F32F16F16")) {
			done["wider"]++ // like N = 8 and N = 256, except for the number of registers
			continue
		}
		if why := refused(t, m); why != "" {
			done[why]++
			continue
		}
		x := newTrial(t, m, r)
		k, err := x.kernel()
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if _, lacks := lower.TargetFor(m.Operation, "sm_90"); lacks != nil {
			done["written"]++
			x.written(t, k)
			continue
		}
		done["run"]++
		got, want := x.run(t, k), x.want()
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: got %x, want %x", m.Name, got[0], want[0])
		}
	}
	want := map[string]int{
		"run": 266, "wider": 2078, "written": 158, "tensor memory": 492, "AMD": 162, "blocks at once": 13,
	}
	if !maps.Equal(done, want) {
		t.Errorf("%v, want %v", done, want)
	}
}

// refused returns why there is no kernel with an instruction, and "" if there is one.
func refused(t *testing.T, m atom.MMA) string {
	t.Helper()
	if m.CFrom == atom.TensorMemory { // umma_test.go has these
		return "tensor memory"
	}
	mma, err := atom.MakeTiledMMA(m, cute.Layout{}, nil)
	if err == nil {
		_, err = kernel.Trace("none", mma.Size(), func(k *kernel.K) { k.ThrMMA(mma, k.ThreadIdx()) })
	}
	if err == nil {
		return ""
	}
	e, ok := errors.AsType[*cute.Error](err)
	for _, why := range []string{"tensor memory", "AMD", "blocks at once"} {
		if ok && e.Code == cute.CodeType && strings.Contains(e.Msg, why) {
			return why
		}
	}
	t.Errorf("%s: %v", m.Name, err)
	return "?"
}

// written checks that a kernel's instruction has the operands of its text: the same number and kinds.
func (x *trial) written(t *testing.T, k *kernel.Kernel) {
	t.Helper()
	opcode, want, _ := strings.Cut(x.m.Text, " ")
	found := 0
	for _, line := range strings.Split(k.Module.String(), "\n") {
		_, got, ok := strings.Cut(line, opcode+" ")
		if found++; !ok {
			found--
			continue
		}
		for _, c := range []string{"{", ","} {
			if strings.Count(got, c) != strings.Count(want, c) {
				t.Errorf("%s: %q, want %q", x.m.Name, got, want)
			}
		}
	}
	if _, err := ptx.Parse(k.Module.String()); err != nil || found != 1 {
		t.Errorf("%s: %d instructions, %v", x.m.Name, found, err)
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
