package tmem_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/internal/lang/triton"
	"girih/tmem"
)

// TestFills compares the shapes of tcgen05.cp with their definition: the lanes of each row, by warp (PTX ISA,
// tcgen05.cp), and with the number of bits in package atom, which are CuTe's.
func TestFills(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		cute       string
		rows, bits int64
		lanes      func(row int64) []int64
	}{
		{"128x256b", "128dp256bit", 128, 256, func(r int64) []int64 { return []int64{r} }},
		{"128x128b", "128dp128bit", 128, 128, func(r int64) []int64 { return []int64{r} }},
		{"4x256b", "4dp256bit", 4, 256, func(r int64) []int64 { return []int64{32 * r} }},
		{"64x128b.warpx2::02_13", "2x64dp128bitlw0213", 64, 128, func(r int64) []int64 { return []int64{r, r + 64} }},
		{"64x128b.warpx2::01_23", "2x64dp128bitlw0123", 64, 128, func(r int64) []int64 {
			return []int64{r/32*64 + r%32, r/32*64 + 32 + r%32}
		}},
		{"32x128b.warpx4", "4x32dp128bit", 32, 128, func(r int64) []int64 { return []int64{r, r + 32, r + 64, r + 96} }},
	} {
		f := must(tmem.FindFill(c.name))
		if f.Rows() != c.rows || f.RowBits() != c.bits || f.String() != c.name {
			t.Errorf("%s: %d rows of %d bits", c.name, f.Rows(), f.RowBits())
		}
		l := must(f.Layout(8))
		a := must(atom.FindCopy("SM100_UTCCP_" + c.cute + "_1cta"))
		if !strings.Contains(a.Text, c.name) || a.From.Unit != c.rows*c.bits || a.To.Unit != l.Size()*8 {
			t.Errorf("%s: %d bits to %d, atom has %d and %d: %s", c.name, c.rows*c.bits, l.Size()*8, a.From.Unit, a.To.Unit,
				a.Text)
		}
		for row := range c.rows {
			for k, lane := range c.lanes(row) {
				for b := range c.bits / 8 {
					got, _ := must(l.Eval(cute.Ints(row, b, int64(k)))).Int64()
					if want := lane*65536*4 + b; got != want {
						t.Fatalf("%s: row %d, byte %d, copy %d: %d, want %d", c.name, row, b, k, got, want)
					}
				}
			}
		}
	}
	_, err := tmem.FindFill("64x128b")
	wantCode(t, "64x128b without a multicast", err, cute.CodeName)
	_, err = tmem.Fill{}.Layout(8)
	wantCode(t, "the zero Fill", err, cute.CodeMode)
	_, err = must(tmem.FindFill("4x256b")).Layout(64)
	wantCode(t, "values of 64 bits", err, cute.CodeNotDivisible)
}

// packing checks that no division of the half buffers needs fewer columns, by trying all, and that the addresses are
// apart.
func packing(t *rapid.T) {
	var buffers []tmem.Buffer
	for i := range rapid.IntRange(0, 8).Draw(t, "buffers") {
		buffers = append(buffers, tmem.Buffer{
			Name: fmt.Sprint(i), Columns: rapid.Int64Range(1, 160).Draw(t, "columns"), Half: rapid.Bool().Draw(t, "half"),
		})
	}
	best := int64(1 << 20)
	for set := range 1 << len(buffers) {
		var whole, low, high int64
		for i, b := range buffers {
			switch {
			case !b.Half:
				whole += b.Columns
			case set>>i&1 != 0:
				low += b.Columns
			default:
				high += b.Columns
			}
		}
		best = min(best, whole+max(low, high))
	}
	a, err := tmem.Alloc(buffers...)
	if (err == nil) != (best <= tmem.Columns) {
		t.Fatalf("%v need %d columns, and the error is %v", buffers, best, err)
	}
	if err != nil {
		return
	}
	if a.Least != best || a.Columns < best || a.Columns > 32 && a.Columns/2 >= best || a.Columns&(a.Columns-1) != 0 {
		t.Fatalf("%v: %d columns of %d, want %d: %s", buffers, a.Least, a.Columns, best, a.Proof)
	}
	if err := a.Verify(); err != nil {
		t.Fatal(err)
	}
}

func TestPacking(t *testing.T) { holds(t, packing) }
func FuzzPacking(f *testing.F) { f.Fuzz(rapid.MakeFuzz(packing)) }

func TestVerify(t *testing.T) {
	t.Parallel()
	a := must(tmem.Alloc(tmem.Buffer{Name: "D", Columns: 64, Half: true}, tmem.Buffer{Name: "E", Columns: 64, Half: true}))
	if a.Columns != 64 || a.Addresses[0].Lane() == a.Addresses[1].Lane() {
		t.Errorf("%+v", a)
	}
	a.Addresses = []tmem.Address{0, 63}
	a.Columns = 128
	wantCode(t, "an overlap", a.Verify(), cute.CodeNotInjective)
	a.Addresses[1] = 65
	wantCode(t, "outside", a.Verify(), cute.CodeMode)
	a.Addresses = nil
	wantCode(t, "no addresses", a.Verify(), cute.CodeRank)
	_, err := tmem.Alloc(tmem.Buffer{})
	wantCode(t, "no columns", err, cute.CodeExtent)
	_, err = tmem.Alloc(tmem.Buffer{Columns: 512}, tmem.Buffer{Columns: 1, Half: true})
	wantCode(t, "too many columns", err, cute.CodeLimit)
	b := tmem.BufferOf("F", must(tmem.Accumulator(f16(64, 48, 1))))
	if b != (tmem.Buffer{Name: "F", Columns: 48, Half: true}) {
		t.Errorf("buffer %+v", b)
	}
}

// scaled returns an instruction with scale factors, of 128 by n.
func scaled(k descriptor.Kind, m, n int64, group int) descriptor.Instruction {
	i := descriptor.Instruction{
		Kind: k, A: dtype.E2M1, B: dtype.E2M1, D: dtype.F32, Scale: dtype.UE8M0, M: m, N: n, Group: group,
	}
	if k == descriptor.KindMXF8F6F4 {
		i.A, i.B = dtype.E4M3, dtype.E4M3
	}
	return i
}

// factors are the kinds with the elements of a factor and the factors of a step (PTX ISA 9.7.16.10.7.1).
var factors = []struct {
	kind           descriptor.Kind
	vector, steps  int64
	sparse, refuse bool
}{
	{descriptor.KindMXF8F6F4, 32, 1, false, false},
	{descriptor.KindMXF4, 32, 2, false, false},
	{descriptor.KindMXF4NVF4, 32, 2, false, false},
	{descriptor.KindMXF4NVF4, 16, 4, false, false},
	{descriptor.KindMXF8F6F4, 64, 1, true, false},
	{descriptor.KindMXF4NVF4, 32, 4, true, false},
	{descriptor.KindMXF8F6F4, 16, 0, false, true},
	{descriptor.KindMXF4, 16, 0, false, true},
	{descriptor.KindMXF4NVF4, 64, 0, false, true},
}

// TestScaleFactors follows every scale factor from global memory to tensor memory: by the byte of the block of 512,
// the row of tcgen05.cp.32x128b.warpx4 that contains it, and the lanes to which that row is copied.
func TestScaleFactors(t *testing.T) {
	t.Parallel()
	cp := must(must(tmem.FindFill("32x128b.warpx4")).Layout(8))
	for _, c := range factors {
		i := scaled(c.kind, 128, 256, 1)
		i.Sparse = c.sparse
		s := tmem.ScaleFactors{Instruction: i, Operand: atom.OperandB, Vector: c.vector}
		if s.PerStep() != c.steps || (s.Check() != nil) != c.refuse {
			t.Errorf("%v with %d: %d factors a step, %v", c.kind, c.vector, s.PerStep(), s.Check())
		}
		if c.refuse {
			continue
		}
		rows, fs := int64(256), int64(8)
		k := fs * c.vector
		global, shared, in := must(s.GlobalLayout(rows, k)), must(s.SharedLayout(rows, k)), must(s.Tensor(rows, k))
		for r := range rows {
			for f := range fs {
				inBlock := r%32*16 + r%128/32*4 + f%4
				checkByte(t, "global", global, r, f*c.vector, inBlock+512*(f/4)+1024*(r/128))
				checkByte(t, "shared", shared, r, f*c.vector+c.vector-1, inBlock+512*(r/128)+1024*(f/4))
				for w := range int64(4) {
					offset, _ := must(cp.Eval(cute.Ints(inBlock/16, inBlock%16, w))).Int64()
					block := r/128 + f/4*2 // each takes 4 columns
					want := tmem.Place{Lane: offset / (65536 * 4), Column: 4*block + offset%16/4, Bit: offset % 4 * 8}
					if got := must(in.Place(r, f*c.vector, w)); got != want {
						t.Fatalf("%v, factor (%d,%d), copy %d: %v, want %v", c.kind, r, f, w, got, want)
					}
				}
			}
		}
		if in.Columns() != rows/32*2 {
			t.Errorf("%v: %d columns", c.kind, in.Columns())
		}
	}
}

func checkByte(t *testing.T, where string, l cute.Layout, row, k, want int64) {
	t.Helper()
	if got, _ := must(l.Eval(cute.Ints(row, k))).Int64(); got != want {
		t.Fatalf("%s memory: factor (%d,%d) is at byte %d, want %d", where, row, k, got, want)
	}
}

// cuteFactors are fragments of CuTe's tmem_sf_frg, as the headers of CUTLASS 4.7 print them on the host, for one
// tile: ((((32,words),[half,]copy),(vector,factors)),1,(steps of a column,columns)) -> byte, with lanes 262144 bytes
// apart.
var cuteFactors = []struct {
	kind                descriptor.Kind
	group               int
	operand             atom.Operand
	vector, rows, steps int64
	layout              string
}{
	{
		descriptor.KindMXF8F6F4, 1, atom.OperandA, 32, 128, 8,
		"((((32,4),4),(32,1)),1,(4,2)):((((262144,4),8388608),(0,1)),0,(1,16))",
	},
	{
		descriptor.KindMXF4NVF4, 1, atom.OperandA, 16, 256, 2,
		"((((32,8),4),(16,4)),1,(1,2)):((((262144,4),8388608),(0,1)),0,(0,32))",
	},
	{
		descriptor.KindMXF4, 2, atom.OperandB, 32, 128, 4,
		"((((32,2),2,2),(32,2)),1,(2,2)):((((262144,4),16777216,8388608),(0,1)),0,(2,8))",
	},
}

// TestScaleCuTe compares each factor in tensor memory, and each step, with CuTe's fragments.
func TestScaleCuTe(t *testing.T) {
	t.Parallel()
	for _, c := range cuteFactors {
		s := tmem.ScaleFactors{Instruction: scaled(c.kind, 128, 128, c.group), Operand: c.operand, Vector: c.vector}
		k := s.Instruction.K()
		in, want := must(s.Tensor(c.rows, c.steps*k)), cute.MustParse(c.layout)
		copies := must(must(in.Shape().Mode(2)).Product())
		for step := range c.steps {
			for i := range c.rows * copies * k {
				row, w, e := i%c.rows, i/c.rows%copies, i/c.rows/copies
				offset := must(want.At(i + c.rows*copies*k*step))
				place := tmem.Place{Lane: offset / 262144, Column: offset % 262144 / 4, Bit: offset % 4 * 8}
				if got := must(in.Place(row, step*k+e, w)); got != place {
					t.Fatalf("%v: row %d, k %d, copy %d: %v, want %v", c.kind, row, step*k+e, w, got, place)
				}
			}
			first := must(want.At(c.rows * copies * k * step))
			i := s.Instruction
			i.ScaleA, i.ScaleB = int(first%4), int(first%4)
			if err := i.Check(); err != nil {
				t.Errorf("step %d: %v", step, err)
			}
			if got := must(s.Step(c.rows, step)); got != (tmem.ScaleStep{Column: first / 4, ID: int(first % 4)}) {
				t.Errorf("%v: step %d: %+v, want byte %d", c.kind, step, got, first)
			}
		}
	}
	a := tmem.ScaleFactors{Instruction: scaled(descriptor.KindMXF8F6F4, 128, 128, 1), Operand: atom.OperandA, Vector: 32}
	want := "(((32,4),2),((32,4),2)):(((16,4),1024),((0,1),512))" // Sm1xxBlockScaledConfig<32>
	if got := text(a.GlobalLayout(256, 256)); got != want {
		t.Errorf("global memory: %s, want %s", got, want)
	}
}

// TestScaleTriton compares with Triton's TensorMemoryScalesLayout.
func TestScaleTriton(t *testing.T) {
	t.Parallel()
	s := tmem.ScaleFactors{Instruction: scaled(descriptor.KindMXF4, 128, 128, 1), Operand: atom.OperandA, Vector: 32}
	in := must(s.Tensor(128, 8*32))
	e := must(triton.FromRecord("tensor_memory_scales"))
	l := must(e.Layout(128, 8))
	n := 0
	for row := range int64(1) << len(l.Bases()[0].Bases) {
		for col := range int64(1) << len(l.Bases()[1].Bases) {
			out := must(l.At(row, col, 0)) // a column of Triton is one factor
			want := tmem.Place{Lane: row, Column: col / 4, Bit: col % 4 * 8}
			if got := must(in.Place(out[0], out[1]*32, row/32)); got != want {
				t.Fatalf("factor %v: %v, Triton has it at %v", out, got, want)
			}
			n++
		}
	}
	if n != 4*128*8 {
		t.Errorf("%d cells", n)
	}
}

func TestScaleErrors(t *testing.T) {
	t.Parallel()
	s := tmem.ScaleFactors{Instruction: scaled(descriptor.KindMXF4, 128, 128, 1), Operand: atom.OperandA, Vector: 32}
	of := func(_ tmem.Tensor, err error) error { return err }
	wantCode(t, "48 rows", of(s.Tensor(48, 64)), cute.CodeNotDivisible)
	wantCode(t, "no k", of(s.Tensor(64, 0)), cute.CodeExtent)
	wantCode(t, "a large k", of(s.Tensor(128, 1<<60)), cute.CodeMode)
	wantCode(t, "too many columns", of(s.Tensor(128, 512*128)), cute.CodeMode)
	_, err := s.Step(128, -1)
	wantCode(t, "step -1", err, cute.CodeNegative)
	_, err = s.Step(128, 1<<60)
	wantCode(t, "a late step", err, cute.CodeMode)
	s.Operand = atom.OperandC
	wantCode(t, "factors of C", s.Check(), cute.CodeType)
	s = tmem.ScaleFactors{Instruction: f16(128, 128, 1), Operand: atom.OperandA, Vector: 32}
	_, err = s.GlobalLayout(128, 128)
	wantCode(t, "factors of f16", err, cute.CodeType)
}
