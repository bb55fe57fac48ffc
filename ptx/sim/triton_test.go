package sim_test

import (
	"encoding/binary"
	"math"
	"testing"

	"girih/ptx/sim"
	"girih/tensormap"
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

// TestTritonHistogram runs a kernel with a lock between blocks, and atomics of all kinds.
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

// TestSpaces reads variables of the module with initial values, in all spaces.
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
	// out[1] is the sum of counter 41, *pointer = grid[1][2] = 0, names[1][2] = 'o', buffer 0 and managed 3; out[2] is
	// the sum of 1 for a global address and grid[1][1] = 0.
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
	// fp8: f[0] to f[3] become the values of the bytes of e[0]: 1, 448, -2, NaN.
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
	// 0.3 rounds to 0.3125 = 0x2a; -500 becomes -448.
	if got := get[uint32](t, e)[1]; got != 0x0038fe2a {
		t.Errorf("f32 to fp8: %x", got)
	}
}

// halves returns n numbers between -1 and 1, as codes of 16 bits and as values.
func halves(n int, encode func(float32) uint16) (codes []uint8, values []float64) {
	s := uint64(7)
	for range n {
		s = s*6364136223846793005 + 1442695040888963407
		v := float32(int64(s>>33)%256-128) / 128
		codes = binary.LittleEndian.AppendUint16(codes, encode(v))
		values = append(values, float64(v))
	}
	return codes, values
}

func bfloat(v float32) uint16 { return uint16(math.Float32bits(v) >> 16) }

// binary16 encodes a multiple of 1/128 below 2.
func binary16(v float32) uint16 {
	if v == 0 {
		return 0
	}
	fr, e := math.Frexp(math.Abs(float64(v)))
	out := uint16(e+14)<<10 | uint16(fr*2048)&0x3ff
	if v < 0 {
		out |= 0x8000
	}
	return out
}

// TestTritonAttention runs copies in two stages, wgmma on the copied tiles, and mma, in several orders.
func TestTritonAttention(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "triton_attention.sm_90a.ptx")
	const n, d = 128, 64
	qs, q := halves(n*d, bfloat)
	ks, k := halves(2*n*d, bfloat)
	vs, v := ks[2*n*d:], k[n*d:]
	ks, k = ks[:2*n*d], k[:n*d]
	for seed := range uint64(3) {
		m := memory(t, p)
		out := alloc(t, m, 2*n*d)
		run(t, p, m, sim.Launch{Grid: sim.Dim{X: 2}, Block: sim.Dim{X: 128}, Shared: 64 << 10, Seed: seed, Args: []sim.Arg{
			sim.Pointer(put(t, m, qs), 0), sim.Pointer(put(t, m, ks), 0), sim.Pointer(put(t, m, vs), 0), sim.Pointer(out, 0),
			sim.U32(math.Float32bits(math.Log2E / 8)), sim.U32(n), sim.U64(0), sim.U64(0),
		}})
		for i := range n {
			weights, total := make([]float64, i+1), 0.0
			for j := range weights {
				for x := range d {
					weights[j] += q[i*d+x] * k[j*d+x]
				}
				weights[j] = math.Exp(weights[j] / 8)
				total += weights[j]
			}
			for x := range d {
				want := 0.0
				for j, w := range weights {
					want += w / total * v[j*d+x]
				}
				got := math.Float32frombits(uint32(binary.LittleEndian.Uint16(out.Bytes()[2*(i*d+x):])) << 16)
				if math.Abs(float64(got)-want) > 0.01 {
					t.Fatalf("seed %d: row %d, column %d: got %v, want %v", seed, i, x, got, want)
				}
			}
		}
	}
}

// TestTritonMatmul runs tensor copies with waits at mbarriers, wgmma, and a tensor store, in several orders.
func TestTritonMatmul(t *testing.T) {
	t.Parallel()
	p := loadFile(t, "triton_matmul.sm_90a.ptx")
	const n = 256
	as, a := halves(n*n, binary16)
	for seed := range uint64(2) {
		m := memory(t, p)
		in, out := put(t, m, as), alloc(t, m, 2*n*n)
		of := func(b *sim.Buffer, rows int64) sim.Arg {
			arg, err := sim.TensorMap(tensormap.Map{
				Type: tensormap.Float16, Address: b.Address(), Dims: []int64{n, n}, Strides: []int64{2 * n}, Box: []int64{64, rows},
				Swizzle: tensormap.Swizzle128B,
			})
			if err != nil {
				t.Fatal(err)
			}
			return arg
		}
		var args []sim.Arg
		for _, b := range []*sim.Buffer{in, in, out} {
			args = append(args, of(b, 128), sim.U32(n), sim.U32(n), sim.U64(n), sim.U64(1))
		}
		args = append(args, sim.U32(n), sim.U32(n), sim.U32(n), sim.U64(0), sim.U64(0))
		run(t, p, m, sim.Launch{Grid: sim.Dim{X: 2, Y: 2}, Block: sim.Dim{X: 128}, Shared: 160 << 10, Seed: seed, Args: args})
		for _, at := range [][2]int{{0, 0}, {1, 200}, {130, 3}, {255, 254}, {77, 140}} {
			want := 0.0
			for k := range n {
				want += a[at[0]*n+k] * a[at[1]*n+k]
			}
			if got := half(binary.LittleEndian.Uint16(out.Bytes()[2*(at[0]*n+at[1]):])); math.Abs(got-want) > 0.05 {
				t.Errorf("seed %d: element %v: got %v, want %v", seed, at, got, want)
			}
		}
	}
}

// half decodes a normal number of binary16.
func half(c uint16) float64 {
	v := math.Ldexp(float64(c&0x3ff|0x400), int(c>>10&31)-25)
	if c>>15 == 1 {
		return -v
	}
	return v
}
