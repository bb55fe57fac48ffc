package sim_test

import (
	"encoding/binary"
	"math"
	"testing"

	"girih/ptx/sim"
)

func TestTritonSoftmax(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "triton_softmax.sm_90a.ptx")
	m := memory(t, p)
	const rows, cols = 5, 1000
	in := make([]float32, rows*cols)
	for i := range in {
		in[i] = float32(i*7919%1000)/100 - 5
	}
	x, y := put(t, m, in), alloc(t, m, 4*rows*cols)
	run(t, p, m, sim.Launch{Grid: sim.Dim{X: 2}, Block: sim.Dim{X: 128}, Shared: 8192, Args: []sim.Arg{
		sim.Pointer(x, 0), sim.Pointer(y, 0), sim.U32(rows), sim.U32(cols), sim.U32(cols), sim.U64(0), sim.U64(0),
	}})
	got := get[float32](t, y)
	for r := range rows {
		sum := 0.0
		for _, v := range in[r*cols : r*cols+cols] {
			sum += math.Exp(float64(v))
		}
		for i := range cols {
			want := math.Exp(float64(in[r*cols+i])) / sum
			if v := float64(got[r*cols+i]); math.Abs(v-want) > 1e-6*want {
				t.Fatalf("row %d, column %d: got %v, want %v", r, i, v, want)
			}
		}
	}
}

// TestTritonHistogram has a lock between blocks, and atomics of all kinds.
func TestTritonHistogram(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "triton_histogram.sm_90a.ptx")
	m := memory(t, p)
	const n = 5000
	in, want, most := make([]int32, n), make([]int32, 64), int32(0)
	for i := range in {
		in[i] = int32(i * 7919 % 997)
		want[in[i]&63]++
		most = max(most, in[i])
	}
	bins, largest, lock := put(t, m, make([]int32, 64)), put(t, m, make([]int32, 2)), put(t, m, make([]int32, 1))
	run(t, p, m, sim.Launch{Grid: sim.Dim{X: 5}, Block: sim.Dim{X: 128}, Shared: 8192, Args: []sim.Arg{
		sim.Pointer(put(t, m, in), 0), sim.Pointer(bins, 0), sim.Pointer(largest, 0), sim.Pointer(lock, 0), sim.U32(n),
		sim.U64(0), sim.U64(0),
	}})
	for i, v := range get[int32](t, bins) {
		if v != want[i] {
			t.Errorf("bin %d: got %d, want %d", i, v, want[i])
		}
	}
	if got := get[int32](t, largest); got[0] != most || got[1] != most {
		t.Errorf("largest: got %v, want %d", got, most)
	}
}

// TestSpaces has variables of the module with initial values, of all spaces.
func TestSpaces(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "memory.sm_90a.ptx")
	m := memory(t, p)
	point, v := alloc(t, m, 64), put(t, m, make([]int32, 8))
	in := make([]int32, 40)
	for i := range in {
		in[i] = int32(i + 3)
	}
	out := put(t, m, in)
	const n = 1
	run(t, p, m, sim.Launch{Entry: "spaces", Args: []sim.Arg{
		sim.U32(n), sim.Pointer(point, 0), sim.Pointer(out, 0), sim.Pointer(v, 0),
	}})
	local := make([]int32, 40)
	for i := range local {
		local[i] = in[i] * int32(i)
	}
	local[in[0]%40] += local[in[0]*7%40]
	got := get[int32](t, out)
	// counter 41, *pointer = grid[1][2] = 0, names[1][2] = 'o', buffer 0, managed 3; grid[1][1] = 0, a global
	// address.
	for i, want := range []int32{local[n], 41 + 0 + 'o' + 0 + 3, 1 + 0, 2 + 4 + 8} {
		if got[i] != want {
			t.Errorf("out[%d] = %d, want %d", i, got[i], want)
		}
	}
	if x := math.Float32frombits(binary.LittleEndian.Uint32(point.Bytes())); x != 1.5 {
		t.Errorf("p[0].x = %v, want 1.5", x)
	}
	if counter, err := m.Variable("counter"); err != nil || counter.Bytes()[0] != 42 {
		t.Errorf("counter: %v, %v", counter, err)
	}
}

func TestIntegersKernel(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "arith.sm_90a.ptx")
	m := memory(t, p)
	h := make([]uint32, 8)
	for i, v := range []uint16{0x4000, 0x3c00, 0x4200, 0x4400} { // 2, 1, 3, 4
		h[i/2] |= uint32(v) << (16 * (i % 2))
	}
	// fp8: f[0] is what the bytes of e[0] are: 1, 448, -2, NaN.
	f := make([]float32, 20)
	f[4], f[5], f[6], f[7] = 0.3, -500, 1, 1e-9
	e := put(t, m, []uint32{0x7fc07e38, 0})
	b := put(t, m, f)
	run(t, p, m, sim.Launch{Entry: "fp8", Args: []sim.Arg{
		sim.Pointer(e, 0), sim.Pointer(put(t, m, h), 0), sim.Pointer(b, 0), sim.Pointer(put(t, m, h), 0),
		sim.Pointer(put(t, m, h), 0),
	}})
	got := get[float32](t, b)
	if got[0] != 1 || got[1] != 448 || got[2] != -2 || got[3] == got[3] {
		t.Errorf("fp8 to f32: %v", got[:4])
	}
	// 0.3 is nearest to 0.3125 = 0x2a; -500 becomes -448.
	if got := get[uint32](t, e)[1]; got != 0x0038fe2a {
		t.Errorf("f32 to fp8: %x", got)
	}
}
