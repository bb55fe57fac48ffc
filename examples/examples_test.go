package examples_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/examples"
	"girih/kernel"
)

func trace(t testing.TB, name string, o examples.Options) *kernel.Kernel {
	t.Helper()
	x, err := examples.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	k, err := x.Trace(o)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestWidths checks how wide the accesses are for several facts about extents.
func TestWidths(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		div  int64
		has  []string
		not  []string
	}{
		{"vector_add", 1, []string{"ld.global.b32"}, []string{"ld.global.v4.b32"}},
		{"vector_add", 4, []string{"ld.global.v4.b32", "st.global.v4.b32", "@"}, nil},
		{"vector_add", 512, []string{"ld.global.v4.b32"}, []string{"@"}},
		{"sgemm_2", 1, []string{"ld.global.b32", "fma.rn.f32"}, []string{"ld.global.v4.b32"}},
		{"sgemm_2", 4, []string{"ld.global.v4.b32", "st.shared.v4.b32"}, nil},
		{"sgemm_2", 128, []string{"ld.global.v4.b32", "st.shared.v4.b32"}, []string{"setp.lt.u32", "and.pred"}},
	} {
		var text strings.Builder
		trace(t, tt.name, examples.Options{Div: tt.div}).Module.WriteTo(&text)
		for _, s := range tt.has {
			if !strings.Contains(text.String(), s) {
				t.Errorf("%s, div %d: no %s", tt.name, tt.div, s)
			}
		}
		for _, s := range tt.not {
			if strings.Contains(text.String(), s) {
				t.Errorf("%s, div %d: %s", tt.name, tt.div, s)
			}
		}
	}
}

// TestTable checks that names are unique and defaults are complete.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, x := range examples.All() {
		for _, name := range append(x.Aliases, x.Name) {
			if seen[name] {
				t.Errorf("two kernels are called %s", name)
			}
			seen[name] = true
			y, err := examples.Find(name)
			if err != nil || y.Name != x.Name {
				t.Errorf("%s is %s, %v", name, y.Name, err)
			}
		}
		if x.Doc == "" || x.Call == "" || x.Default.Type == 0 || x.Default.Type != x.Types[0] {
			t.Errorf("%s is incomplete: %+v", x.Name, x)
		}
	}
}

// TestOptions checks that a kernel refuses options that it does not have, and that no options cause a panic.
func TestOptions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		o    examples.Options
		code cute.Code
	}{
		{"sgemm_1", examples.Options{Tile: []int64{64, 64}}, cute.CodeRank},
		{"sgemm_1", examples.Options{Tile: []int64{64, 0, 8}}, cute.CodeExtent},
		{"sgemm_1", examples.Options{Div: -1}, cute.CodeExtent},
		{"sgemm_1", examples.Options{Type: dtype.F16}, cute.CodeType},
		{"sgemm_1", examples.Options{Stages: 2}, cute.CodeName},
		{"sgemm_1", examples.Options{Tile: []int64{64, 60, 8}}, cute.CodeNotDivisible},
		{"sgemm_1", examples.Options{Tile: []int64{1024, 1024, 8}}, cute.CodeLimit},
		{"sgemm_2", examples.Options{Tile: []int64{64, 64, 4}}, cute.CodeNotDivisible},
		{"sgemm_sm80", examples.Options{Stages: 15}, cute.CodeLimit},
		{"sgemm_sm80", examples.Options{Sum: dtype.F64}, cute.CodeType},
		{"sgemm_sm80", examples.Options{Type: dtype.BF16, Sum: dtype.F16}, cute.CodeType},
		{"sgemm_1", examples.Options{Sum: dtype.F16}, cute.CodeName},
		{"vector_add", examples.Options{Tile: []int64{100}}, cute.CodeNotDivisible},
	} {
		x, err := examples.Find(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = x.Trace(tt.o)
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != tt.code {
			t.Errorf("%s, %+v: expected %s, found %v", tt.name, tt.o, tt.code, err)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	numbers := []int64{1, 2, 3, 4, 7, 8, 16, 24, 32, 48, 64, 100, 128, 256, 1 << 20, 1 << 40, 1<<63 - 1}
	pick := func() int64 { return numbers[r.IntN(len(numbers))] }
	for range 100 {
		xs := examples.All()
		x := xs[r.IntN(len(xs))]
		o := examples.Options{Type: x.Types[r.IntN(len(x.Types))], Div: pick()}
		for range x.Default.Tile {
			o.Tile = append(o.Tile, pick())
		}
		if x.Default.Stages > 0 {
			o.Stages = pick()
		}
		if _, err := x.Trace(o); err != nil {
			if _, ok := errors.AsType[*cute.Error](err); !ok {
				t.Errorf("%s, %+v: %v", x.Name, o, err)
			}
		}
	}
}

// TestZeroValues checks that every method of the zero Recipe returns an error.
func TestZeroValues(t *testing.T) {
	t.Parallel()
	var x examples.Recipe
	_, err := x.Trace(examples.Options{})
	_, err2 := x.Problem(nil, nil, nil)
	if err == nil || err2 == nil || x.Check(examples.Problem{}, nil) == nil {
		t.Error("the zero Recipe has a kernel")
	}
}

// TestCheck checks that Check accepts a right answer, and refuses the answer with one element changed.
func TestCheck(t *testing.T) {
	t.Parallel()
	x, err := examples.Find("transpose")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	k := trace(t, "transpose", examples.Options{})
	p, err := x.Problem(k, map[string]int64{"m": 1, "n": 7}, r)
	if err != nil {
		t.Fatal(err)
	}
	data := p.Bytes("a") // the transpose of a matrix with one row has the same elements in memory
	if err := x.Check(p, data); err != nil {
		t.Error(err)
	}
	data[11] ^= 1
	if x.Check(p, data) == nil || x.Check(p, data[4:]) == nil {
		t.Error("a wrong answer passed")
	}
	if _, err := x.Problem(k, map[string]int64{"m": 1}, r); err == nil {
		t.Error("a problem without an extent was made")
	}
	if _, err := x.Problem(k, map[string]int64{"m": 1, "n": 0}, r); err == nil {
		t.Error("a problem without elements was made")
	}
}

// BenchmarkTrace measures the time of a trace, which should be at most 5 ms.
func BenchmarkTrace(b *testing.B) {
	for _, x := range examples.All() {
		b.Run(x.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := x.Trace(examples.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestListingASCII checks that listings are ASCII, because ptxas refuses other characters even in comments.
func TestListingASCII(t *testing.T) {
	t.Parallel()
	for _, x := range examples.All() {
		k, err := x.Trace(examples.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(k.Listing(x.Doc, x.Call), "\n") {
			if strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
				t.Errorf("%s, line %d: %s", x.Name, i+1, line)
			}
		}
	}
}
