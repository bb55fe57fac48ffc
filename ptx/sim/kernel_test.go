package sim_test

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"testing"

	"girih/ptx"
	"girih/ptx/sim"
)

// loadFile reads a file of ptx/testdata.
func loadFile(t testing.TB, name string) *sim.Program {
	t.Helper()
	src, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return loadText(t, string(src))
}

func loadText(t tester, src string) *sim.Program {
	t.Helper()
	m, err := ptx.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	p, err := sim.Load(m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func memory(t testing.TB, p *sim.Program) *sim.Memory {
	t.Helper()
	m, err := p.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func put[T uint32 | float32 | int32 | uint64 | float64 | uint8](t testing.TB, m *sim.Memory, v []T) *sim.Buffer {
	t.Helper()
	data, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Put("data", data)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func get[T uint32 | float32 | int32 | uint64 | float64](t testing.TB, b *sim.Buffer) []T {
	t.Helper()
	var zero T
	out := make([]T, len(b.Bytes())/binary.Size(zero))
	if _, err := binary.Decode(b.Bytes(), binary.LittleEndian, out); err != nil {
		t.Fatal(err)
	}
	return out
}

func run(t testing.TB, p *sim.Program, m *sim.Memory, l sim.Launch) *sim.Result {
	t.Helper()
	res, err := p.Run(context.Background(), m, l)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func alloc(t testing.TB, m *sim.Memory, n int64) *sim.Buffer {
	t.Helper()
	b, err := m.Alloc("out", n)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTranspose(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "transpose.sm_90a.ptx")
	m := memory(t, p)
	const rows, cols = 67, 45
	in := make([]float32, rows*cols)
	for i := range in {
		in[i] = float32(i)
	}
	x, y := put(t, m, in), alloc(t, m, rows*cols*4)
	run(t, p, m, sim.Launch{
		Entry: "_Z9transposeIfLi32ELb0EEvPKT_PS0_ii", Grid: sim.Dim{X: 2, Y: 3}, Block: sim.Dim{X: 32, Y: 8},
		Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(y, 0), sim.U32(rows), sim.U32(cols)},
	})
	if !y.Written(0, rows*cols*4) {
		t.Fatal("the output has holes")
	}
	for i, v := range get[float32](t, y) {
		if want := in[i%rows*cols+i/rows]; v != want {
			t.Fatalf("element %d: got %v, want %v", i, v, want)
		}
	}
}

func TestSumWarp(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "warp.sm_90a.ptx")
	m := memory(t, p)
	in := make([]float32, 256)
	want := make([]float32, 8)
	for i := range in {
		in[i] = float32(i * i % 97)
		want[i/32] += in[i]
	}
	x, y := put(t, m, in), alloc(t, m, 32)
	run(t, p, m, sim.Launch{
		Entry: "sumWarp", Grid: sim.Dim{X: 2}, Block: sim.Dim{X: 128}, Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(y, 0)},
	})
	for i, v := range get[float32](t, y) {
		if v != want[i] {
			t.Errorf("warp %d: got %v, want %v", i, v, want[i])
		}
	}
}

func TestScanBlock(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "warp.sm_90a.ptx")
	m := memory(t, p)
	in := make([]uint32, 1024)
	for i := range in {
		in[i] = uint32(i*7919%1000) + 1
	}
	x := put(t, m, in)
	run(t, p, m, sim.Launch{Entry: "scanBlock", Block: sim.Dim{X: 1024}, Args: []sim.Arg{sim.Pointer(x, 0)}})
	sum := uint32(0)
	for i, v := range get[uint32](t, x) {
		if sum += in[i]; v != sum {
			t.Fatalf("element %d: got %d, want %d", i, v, sum)
		}
	}
}

func TestCollatz(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "control.sm_90a.ptx")
	m := memory(t, p)
	in := make([]uint64, 96)
	for i := range in {
		in[i] = uint64(i*i + 1)
	}
	x, y := put(t, m, in), alloc(t, m, 96*4)
	run(t, p, m, sim.Launch{
		Entry: "collatz", Grid: sim.Dim{X: 2}, Block: sim.Dim{X: 48}, Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(y, 0)},
	})
	for i, v := range get[uint32](t, y) {
		want, n := uint32(0), in[i]
		for ; n > 1; want++ {
			if n%2 == 0 {
				n /= 2
			} else {
				n = 3*n + 1
			}
		}
		if v != want {
			t.Errorf("collatz(%d): got %d, want %d", in[i], v, want)
		}
	}
}

func TestHistogram(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"atomics.sm_90a.ptx", "atomics.sm_80.ptx"} {
		p := loadFile(t, name)
		m := memory(t, p)
		in := make([]uint8, 5000)
		want := make([]uint32, 256)
		for i := range in {
			in[i] = uint8(i * i % 251)
			want[in[i]]++
		}
		x, y := put(t, m, in), put(t, m, make([]uint32, 256))
		run(t, p, m, sim.Launch{
			Entry: "histogram", Grid: sim.Dim{X: 3}, Block: sim.Dim{X: 96},
			Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(y, 0), sim.U32(5000)},
		})
		for i, v := range get[uint32](t, y) {
			if v != want[i] {
				t.Errorf("%s: bin %d: got %d, want %d", name, i, v, want[i])
			}
		}
	}
}

func TestTritonAdd(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "triton_add.sm_90a.ptx")
	m := memory(t, p)
	const n = 3000
	a, b := make([]float32, n), make([]float32, n)
	for i := range a {
		a[i], b[i] = float32(i), float32(math.Sqrt(float64(i)))
	}
	x, y, z := put(t, m, a), put(t, m, b), alloc(t, m, n*4)
	run(t, p, m, sim.Launch{
		Grid: sim.Dim{X: 3}, Block: sim.Dim{X: 128},
		Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(y, 0), sim.Pointer(z, 0), sim.U32(n), sim.U64(0), sim.U64(0)},
	})
	for i, v := range get[float32](t, z) {
		if v != a[i]+b[i] {
			t.Fatalf("element %d: got %v, want %v", i, v, a[i]+b[i])
		}
	}
}

// tester is a test, or a run of a property.
type tester interface {
	Helper()
	Fatal(args ...any)
}
