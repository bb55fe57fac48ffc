package copy_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/check/long"
	"girih/kernel/copy"
	"girih/ptx/sim"
)

// guard is the number of bytes around a buffer that must not be touched.
const guard = 64

// runs runs the plan on the simulator and checks every byte of the destination and of the guards around it: dst(i) =
// src(i), and everything else is unchanged.
func runs(t tester, p *copy.Plan, c pair) {
	t.Helper()
	k, err := p.Kernel()
	if err != nil {
		t.Fatalf("%v to %v of %d bytes: %v\n%v", c.src, c.dst, c.o.Bytes, err, p)
	}
	prog, err := sim.Load(k.Module)
	if err != nil {
		t.Fatal(err)
	}
	m, err := prog.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	src, dst := offsets(t, c.src), offsets(t, c.dst)
	from, firstFrom := buffer(src, c.o.Bytes, c.o.SrcAlign)
	from = from[:len(from)-guard] // so that reads after the last element are found
	to, firstTo := buffer(dst, c.o.Bytes, c.o.DstAlign)
	a, err := m.Put("src", from)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Put("dst", to)
	if err != nil {
		t.Fatal(err)
	}
	want := append([]byte(nil), to...)
	for i := range src {
		x, y := firstFrom+src[i]*c.o.Bytes, firstTo+dst[i]*c.o.Bytes
		for j := range c.o.Bytes {
			want[y+j] = from[x+j]
		}
	}
	args := []sim.Arg{sim.Pointer(a, firstFrom), sim.Pointer(b, firstTo)}
	numbers := p.Args()
	for _, x := range k.Params[2:] {
		if x.Type.Bits() == 64 {
			args = append(args, sim.U64(uint64(numbers[x.Name])))
		} else {
			args = append(args, sim.U32(uint32(numbers[x.Name])))
		}
	}
	grid, err := k.Grid(numbers)
	if err != nil {
		t.Fatal(err)
	}
	r, err := prog.Run(context.Background(), m, sim.Launch{
		Grid: sim.Dim{X: int(grid[0])}, Block: sim.Dim{X: int(k.Threads)}, Shared: int(k.Dynamic),
		Args: args,
	})
	if err != nil || len(r.Findings) > 0 {
		var text strings.Builder
		k.Module.WriteTo(&text)
		t.Fatalf("%v to %v of %d bytes: %v\n%v\n%s", c.src, c.dst, c.o.Bytes, err, p, text.String())
	}
	if c.o.SrcAlign == 256 && c.o.DstAlign == 256 {
		predicts(t, p, r, c)
	}
	got := b.Bytes()
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v to %v under %+v: byte %d, %d behind the first offset, is %#x, should be %#x\n%v", c.src, c.dst,
				c.o, i, int64(i)-firstTo, got[i], want[i], p)
		}
	}
}

// predicts compares the prediction with the counts of the simulator.
func predicts(t tester, p *copy.Plan, r *sim.Result, c pair) {
	t.Helper()
	f, err := p.Predict()
	if err != nil {
		t.Fatal(err)
	}
	sectors := f.Loads.Sectors + f.Stores.Sectors
	if !f.Sampled && (sectors != r.Traffic.Sectors || f.Shared.Wavefronts != r.Traffic.Wavefronts) {
		t.Fatalf("%v to %v under %+v: %d sectors and %d wavefronts predicted, %d and %d moved\n%v", c.src, c.dst, c.o,
			sectors, f.Shared.Wavefronts, r.Traffic.Sectors, r.Traffic.Wavefronts, p)
	}
	if !f.Branches && f.Instructions != r.Instructions {
		t.Fatalf("%v to %v under %+v: %d instructions predicted (branches: %v), %d executed", c.src, c.dst, c.o,
			f.Instructions, f.Branches, r.Instructions)
	}
}

// A pair is two layouts, with the options of their copy.
type pair struct {
	src, dst cute.Inner
	o        copy.Options
}

func offsets(t tester, l cute.Inner) []int64 {
	t.Helper()
	var out []int64
	var err error
	switch l := l.(type) {
	case cute.Layout:
		out, err = l.AppendOffsets(nil)
	case cute.Composed:
		out, err = l.AppendOffsets(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// buffer returns random bytes for the range of offsets, with guards, and the place of offset 0. The address of that
// place is divisible by align and by no larger power of two.
func buffer(at []int64, bytes, align int64) (data []byte, first int64) {
	lo, hi := int64(0), int64(0)
	for _, x := range at {
		lo, hi = min(lo, x), max(hi, x)
	}
	first = (guard-lo*bytes+511)/512*512 + align%256
	data = make([]byte, first+(hi+1)*bytes+guard)
	r := rand.New(rand.NewPCG(uint64(len(at)), uint64(bytes)))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data, first
}

func parse(t testing.TB, s string) cute.Inner {
	t.Helper()
	l, err := cute.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestKnownPairs(t *testing.T) {
	t.Parallel()
	combination := 0
	for _, c := range []struct{ src, dst string }{
		{"1000:1", "1000:1"},
		{"1024:1", "1024:1"},
		{"(64,64):(64,1)", "(64,64):(1,64)"},
		{"(128,256):(256,1)", "(128,256):(1,128)"},
		{"(65,63):(63,1)", "(65,63):(1,65)"},
		{"(100,72):(72,1)", "(100,72):(1,100)"},
		{"(3,300):(1,3)", "(3,300):(300,1)"},
		{"(3,300):(300,1)", "(3,300):(1,3)"},
		{"(2,3,5,7,4):(420,140,28,4,1)", "(2,3,5,7,4):(1,56,168,8,2)"},
		{"(4,5,6,7):(1,4,20,120)", "(4,5,6,7):(210,42,7,1)"},
		{"64:-1", "64:1"},
		{"(8,16):(0,1)", "(8,16):(1,8)"},
		{"(8,16):(1,0)", "(8,16):(1,8)"},
		{"(4,3):(1,4)", "(6,2):(1,6)"},
		{"(4,3,50):(1,4,12)", "(6,2,50):(50,300,1)"},
		{"100:3", "100:2"},
		{"1:0", "1:0"},
		{"(40,3):(1,64)", "(40,3):(1,41)"},
		{"((2),(16,2),64):((65),(260,130),1)", "((2),(16,2),64):((1056),(66,2117),1)"},
	} {
		for _, bytes := range []int64{1, 2, 4, 8, 16} {
			for _, way := range []copy.Way{"", copy.Direct, copy.Blocks, copy.Rows, copy.Shifted} {
				for _, align := range []int64{256, bytes} {
					if combination++; long.Skips(combination, 3) {
						continue
					}
					o := copy.Options{Bytes: bytes, SrcAlign: align, DstAlign: align, Way: way}
					p, err := copy.New(parse(t, c.src), parse(t, c.dst), o)
					if err != nil {
						t.Fatalf("%s to %s of %d bytes: %v", c.src, c.dst, bytes, err)
					}
					runs(t, p, pair{parse(t, c.src), parse(t, c.dst), o})
				}
			}
		}
	}
}

// TestReversed checks copies from swizzled layouts whose offsets count down along the tile: the kernel must know that
// the offsets are not negative.
func TestReversed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		src, dst string
		bytes    int64
	}{
		{"Sw<1,0,1> o 0 o (2,4,3,2):(0,12,0,3)", "(2,4,3,2):(-12,-3,-1,-24)", 16},
		{"Sw<2,0,2> o 0 o (7,12,3,1):(1,0,84,0)", "(7,12,3,1):(-48,-4,-1,-336)", 1},
	} {
		for _, way := range []copy.Way{"", copy.Direct, copy.Blocks, copy.Rows, copy.Shifted} {
			for _, vector := range []int64{0, 2, 16} {
				for _, align := range []int64{8, 256} {
					o := copy.Options{
						Bytes: c.bytes, SrcAlign: 256, DstAlign: align, Way: way, Vector: vector, Flight: 16 * vector, Threads: 32,
					}
					p, err := copy.New(cute.MustParseComposed(c.src), parse(t, c.dst), o)
					if err != nil {
						t.Fatalf("%s to %s: %v", c.src, c.dst, err)
					}
					runs(t, p, pair{cute.MustParseComposed(c.src), parse(t, c.dst), o})
				}
			}
		}
	}
}

// A tester is a test or a property.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// BenchmarkNew plans a permutation of five modes; the limit for a plan is 1 ms.
func BenchmarkNew(b *testing.B) {
	src := cute.MustParse("(32,48,24,40,56):(107520,56,3440640,2688,1)")
	dst := cute.MustParse("(32,48,24,40,56):(1,32,1536,36864,1474560)")
	for b.Loop() {
		if _, err := copy.New(src, dst, copy.Options{Bytes: 4}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkKernel writes the kernel of that plan.
func BenchmarkKernel(b *testing.B) {
	src := cute.MustParse("(32,48,24,40,56):(107520,56,3440640,2688,1)")
	dst := cute.MustParse("(32,48,24,40,56):(1,32,1536,36864,1474560)")
	p, err := copy.New(src, dst, copy.Options{Bytes: 4})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.Kernel(); err != nil {
			b.Fatal(err)
		}
	}
}
