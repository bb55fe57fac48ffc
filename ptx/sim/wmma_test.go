package sim_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/ptx"
	"girih/ptx/sim"
)

// bitsSource generates the operands of testdata/wmma/wmma.cu.
type bitsSource struct{ state uint64 }

func (s *bitsSource) next() uint32 {
	s.state = s.state*6364136223846793005 + 1442695040888963407
	return uint32(s.state >> 32)
}

// float is a floating-point format, or an integer format if mantissa is 0.
type float struct{ width, mantissa, bias int }

var (
	wmF16, wmBF16 = float{16, 10, 15}, float{16, 7, 127}
	wmF32, wmF64  = float{32, 23, 127}, float{64, 52, 1023}
	wmS8, wmS32   = float{8, 0, 0}, float{32, 0, 0}
)

// fill returns n numbers: arbitrary bits for kind 0, otherwise numbers with exponents from -kind to kind.
func (s *bitsSource) fill(n int, f float, kind int) []byte {
	var out []byte
	for range n {
		var e uint64
		switch {
		case f.width == 64:
			e = uint64(s.next()&1)<<63 | uint64(1023+int(s.next()%17)-8)<<52
			low := uint64(s.next()) << 32
			e |= (low | uint64(s.next())) >> 12
		case kind == 0 || f.mantissa == 0:
			e = uint64(s.next())
		default:
			x := s.next()
			exponent := f.bias + int(s.next()%uint32(2*kind+1)) - kind
			e = uint64(x&1)<<(f.width-1) | uint64(exponent)<<f.mantissa | uint64(x>>8)&(1<<f.mantissa-1)
		}
		b := binary.LittleEndian.AppendUint64(nil, e)
		out = append(out, b[:f.width/8]...)
	}
	return out
}

// wmmaRuns lists the runs on an H100: the kernel, the formats of its inputs, and the digests of its outputs.
var wmmaRuns = []struct {
	kernel  string
	shape   [3]int
	ab, c   float
	out     int // bits of D
	digests []string
}{
	{"w_f16_f32", [3]int{16, 16, 16}, wmF16, wmF32, 32, []string{"1640a9f500b35eea6a20301c", "49803380aa2b8fc12d1c178f", "471e88d471e2d9933f85d120"}},
	{"w_f16_f16", [3]int{16, 16, 16}, wmF16, wmF16, 16, []string{"4a4a063be767615a5ae3ddd4", "10aa989c042ef0e54b326994", "f44d6f74933c1a0b4771cf01"}},
	{"w_f16_f32_32", [3]int{32, 8, 16}, wmF16, wmF32, 32, []string{"d05b683751f0e8f376fbb0f7", "88adf889b3a74f0a894761d4", "44178dbee456f6d169d6a010"}},
	{"w_f16_f16_8", [3]int{8, 32, 16}, wmF16, wmF16, 16, []string{"930ca425a99c4740c8945ddd", "272e066b1b23d1aa6076b431", "60dde448a33260926d262e86"}},
	{"w_bf16", [3]int{16, 16, 16}, wmBF16, wmF32, 32, []string{"f3fcac717842efdd9c1c3640", "cd497ac439b4b174b3082f15", "6c76d110a3755818c9a274ab"}},
	{"w_bf16_8", [3]int{8, 32, 16}, wmBF16, wmF32, 32, []string{"84be798890538473ec44c089", "28f585d7c6e6aa8d9fcb904a", "dab85a51629709c785d5a735"}},
	{"w_tf32", [3]int{16, 16, 8}, wmF32, wmF32, 32, []string{"18b0b02538d190f1a4c3d975", "1ae2d6ba39b694d2b904ded1", "c50cecf47310e516602f1df3"}},
	{"w_s8", [3]int{16, 16, 16}, wmS8, wmS32, 32, []string{"8ebdfdcf4dc562fb0d7895c1", "26d40a8d20110b75f75356c9", "bd3bf7ef5bdac801a8fda643"}},
	{"w_u8_32", [3]int{32, 8, 16}, wmS8, wmS32, 32, []string{"b83940c9e9a12fbca39f96fe", "5ca3be1858296da5afe08a97", "12dfde3d58e05aeb68123320"}},
	{"w_f64", [3]int{8, 8, 4}, wmF64, wmF64, 64, []string{"17ce8707f7c5bfdc9210f4f1", "1fc35433ed2e8b9488de8ead", "0f541148dc0534ce80f418c7"}},
	{"w_mixed", [3]int{16, 16, 16}, wmF16, wmF16, 32, []string{"4c102637c43b859fc08b593f", "026f88d71d13f9c35a8f3cf2", "2c29c28d3dc4f61d5c10cfff"}},
	{"w_mixed16", [3]int{16, 16, 16}, wmF16, wmF32, 16, []string{"dd3f9693f7e76382093fee2c", "da3eda984f7ce3749a788047", "c8dc9d0add9ead3ecf5ab945"}},
	// These kernels compute four products of 8x8x4 per warp.
	{"q_tn", [3]int{16, 16, 8}, wmF16, wmF16, 32, []string{"dfb12632fa0f498eeecc04ad", "14a7bb3b4eef58be358ea002", "2259bddf8bef857ab6af1d57"}},
	{"q_nt", [3]int{16, 16, 8}, wmF16, wmF16, 32, []string{"469f828039ba7d39dfd760d4", "cfb19aa3643eda59710ea03c", "b21aee3530d9a2763dfb75b9"}},
	// These kernels store the registers of a matrix 0, 1, 2, ...; a 16x16 matrix has 8 elements in each of 32 lanes, or
	// 16 elements if each element is stored twice.
	{"f_a", [3]int{}, wmF16, wmF16, 16 * 16, []string{"086e39f7a6d56d31d1a96c9b"}},
	{"f_b", [3]int{}, wmF16, wmF16, 16 * 16, []string{"b5f4ce063f5b7e1e8e976b38"}},
	{"f_a32", [3]int{}, wmF16, wmF16, 16 * 16, []string{"96d2d181c24812b5b5355607"}},
	{"f_b32", [3]int{}, wmF16, wmF16, 16 * 16, []string{"c72d9d3f492b968aefbcada8"}},
	{"f_a8", [3]int{}, wmF16, wmF16, 16 * 16, []string{"c72d9d3f492b968aefbcada8"}},
	{"f_c", [3]int{}, wmF32, wmF32, 8 * 32, []string{"38a8c488c559153acebc6aee"}},
	{"f_ch", [3]int{}, wmF16, wmF16, 8 * 16, []string{"2204f5cd4cfeb6c95bd58ce4"}},
}

// TestWmmaOnCard checks that wmma and quad-pairs with two types of accumulators give the results of an H100 exactly.
func TestWmmaOnCard(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	text, err := os.ReadFile(filepath.Join("testdata", "wmma", "wmma.ptx"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := sim.Load(m)
	if err != nil {
		t.Fatal(err)
	}
	const blocks = 24
	s := &bitsSource{1}
	for _, r := range wmmaRuns {
		for i, want := range r.digests {
			kind := []int{0, 2, 12}[i]
			mm, n, k := r.shape[0], r.shape[1], r.shape[2]
			var in [][]byte
			grid, bytesOut := blocks, blocks*mm*n*r.out/8
			if k > 0 {
				in = [][]byte{s.fill(blocks*mm*k, r.ab, kind), s.fill(blocks*n*k, r.ab, kind), s.fill(blocks*mm*n, r.c, kind)}
			} else {
				grid, bytesOut = 1, 32*r.out/8
				in = [][]byte{make([]byte, 1024)}
				for j := range 1024 / (r.ab.width / 8) {
					in[0][j*r.ab.width/8] = byte(j)
					if r.ab.width == 16 {
						in[0][2*j+1] = byte(j >> 8)
					}
				}
			}
			got := runBytes(t, p, sim.Launch{Entry: r.kernel, Grid: sim.Dim{X: grid}, Block: sim.Dim{X: 32}}, in, bytesOut)
			sum := sha256.Sum256(got)
			if digest := hex.EncodeToString(sum[:12]); digest != want {
				t.Errorf("%s, exponents to %d: %s, the card has %s", r.kernel, kind, digest, want)
			}
		}
	}
}

// runBytes runs a kernel whose parameters are pointers to the inputs and then to the output, and returns the output.
func runBytes(t testing.TB, p *sim.Program, l sim.Launch, in [][]byte, out int) []byte {
	t.Helper()
	m := memory(t, p)
	for i, b := range in {
		buf, err := m.Put(fmt.Sprint("in", i), b)
		if err != nil {
			t.Fatal(err)
		}
		l.Args = append(l.Args, sim.Pointer(buf, 0))
	}
	buf, err := m.Put("out", bytes.Repeat([]byte{0xff}, out))
	if err != nil {
		t.Fatal(err)
	}
	l.Args = append(l.Args, sim.Pointer(buf, 0))
	run(t, p, m, l)
	return buf.Bytes()
}

// TestWmmaSmall checks wmma on single bits and 4-bit integers against the definition.
func TestWmmaSmall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ, op string
		bits, k int
		signed  bool
	}{
		{"b1", ".xor.popc", 1, 128, false}, {"b1", ".and.popc", 1, 128, false}, {"s4", "", 4, 32, true}, {"u4", "", 4, 32, false},
	} {
		var b strings.Builder
		fmt.Fprintf(&b, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d)\n{\n")
		fmt.Fprintf(&b, ".reg .b64 %%rd<5>; .reg .b32 %%r<9>;\n")
		for i, n := range []string{"a", "b", "c", "d"} {
			fmt.Fprintf(&b, "ld.param.u64 %%rd%d, [%s];\n", i+1, n)
		}
		shape := fmt.Sprintf("m8n8k%d", tt.k)
		fmt.Fprintf(&b, "wmma.load.a.sync.aligned.row.%s.global.%s {%%r1}, [%%rd1];\n", shape, tt.typ)
		fmt.Fprintf(&b, "wmma.load.b.sync.aligned.col.%s.global.%s {%%r2}, [%%rd2];\n", shape, tt.typ)
		fmt.Fprintf(&b, "wmma.load.c.sync.aligned.row.%s.global.s32 {%%r3, %%r4}, [%%rd3];\n", shape)
		fmt.Fprintf(&b, "wmma.mma%s.sync.aligned.row.col.%s.s32.%s.%s.s32 {%%r5, %%r6}, {%%r1}, {%%r2}, {%%r3, %%r4};\n",
			tt.op, shape, tt.typ, tt.typ)
		fmt.Fprintf(&b, "wmma.store.d.sync.aligned.col.%s.global.s32 [%%rd4], {%%r5, %%r6};\nret;\n}\n", shape)
		p := loadText(t, b.String())
		s := &bitsSource{7}
		in := [][]byte{s.fill(128, wmS8, 0), s.fill(128, wmS8, 0), s.fill(64, wmS32, 0)}
		got := runBytes(t, p, sim.Launch{Block: sim.Dim{X: 32}}, in, 256)
		value := func(b []byte, row, k int) int32 {
			at := (row*tt.k + k) * tt.bits
			x := int32(b[at/8]>>(at%8)) & (1<<tt.bits - 1)
			if tt.signed && x >= 1<<(tt.bits-1) {
				x -= 1 << tt.bits
			}
			return x
		}
		for i := range 8 {
			for j := range 8 {
				want := int32(binary.LittleEndian.Uint32(in[2][4*(i*8+j):]))
				for k := range tt.k {
					x, y := value(in[0], i, k), value(in[1], j, k)
					if tt.op == ".xor.popc" {
						want += x ^ y
					} else {
						want += x * y
					}
				}
				if got := int32(binary.LittleEndian.Uint32(got[4*(j*8+i):])); got != want {
					t.Fatalf("%s%s: (%d,%d) is %d, want %d", tt.typ, tt.op, i, j, got, want)
				}
			}
		}
	}
}
