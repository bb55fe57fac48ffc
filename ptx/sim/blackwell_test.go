package sim_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"girih/dtype"
	"girih/ptx"
	"girih/ptx/sim"
	"girih/tensormap"
)

// These tests run kernels for sm_100a and sm_120a that Triton and nvcc compiled, and compare whole matrices with exact
// products. GIRIH_BLACKWELL is a folder with a folder for each kernel: k.ptx, and for CUTLASS the launch as
// docs/simulator.md describes recordings, N.json and N.bufK.pre, with maps, the arguments of its tensor maps. Without
// it they are skipped.

// A foreignT reports what is wrong with a run.
type foreignT = testing.TB

func foreign(t foreignT, name string) string {
	t.Helper()
	dir := os.Getenv("GIRIH_BLACKWELL")
	if dir == "" {
		t.Skipf("GIRIH_BLACKWELL names no folder with kernels for sm_100a and sm_120a")
	}
	return filepath.Join(dir, name)
}

// A foreignMatrix is a matrix in a buffer: rows of elements of some bits, and the values that it has.
type foreignMatrix struct {
	rows, columns int
	of            dtype.Type
	values        []float64
	data          []byte
}

// newForeign fills a matrix with values that f chooses, which the type has to hold exactly.
func newForeign(t foreignT, of dtype.Type, rows, columns int, f func(i, j int) float64) *foreignMatrix {
	t.Helper()
	m := &foreignMatrix{rows: rows, columns: columns, of: of, values: make([]float64, rows*columns)}
	m.data = make([]byte, rows*columns*of.Bits()/8)
	for i := range m.values {
		m.values[i] = f(i/columns, i%columns)
		c, err := of.Encode(m.values[i])
		if v, e := of.Decode(c); err != nil || e != nil || v != m.values[i] {
			t.Fatalf("%v does not hold %v", of, m.values[i])
		}
		for b := range of.Bits() {
			at := i*of.Bits() + b
			m.data[at/8] |= byte(c>>b&1) << (at % 8)
		}
	}
	return m
}

// readForeign returns the values of a matrix of a type in a buffer.
func readForeign(t foreignT, of dtype.Type, data []byte) []float64 {
	t.Helper()
	out := make([]float64, len(data)*8/of.Bits())
	for i := range out {
		c := uint64(0)
		for b := range of.Bits() {
			at := i*of.Bits() + b
			c |= uint64(data[at/8]>>(at%8)&1) << b
		}
		out[i], _ = of.Decode(c)
	}
	return out
}

// scales are factors for each row and vector of columns, in the order that tcgen05.cp and CUTLASS have: tiles of 128
// rows and 4 factors, 512 bytes each, with 4 factors of row r at byte r%32*16 + r/32%4*4.
type scales struct {
	of     dtype.Type
	rows   int
	vector int
	values []float64
	n      int // of a row
	data   []byte
}

func newScales(t foreignT, of dtype.Type, rows, columns, vector int, f func(i, j int) float64) *scales {
	t.Helper()
	s := &scales{of: of, rows: rows, vector: vector, n: columns / vector}
	s.data = make([]byte, (rows+127)/128*128*s.n)
	for r := range rows {
		for k := range s.n {
			v := f(r, k)
			c, err := of.Encode(v)
			if err != nil {
				t.Fatalf("%v", err)
			}
			s.values = append(s.values, v)
			s.data[(r/128*(s.n/4)+k/4)*512+r%32*16+r/32%4*4+k%4] = byte(c)
		}
	}
	return s
}

func (s *scales) at(row, k int) float64 {
	if s == nil {
		return 1
	}
	return s.values[row*s.n+k/s.vector]
}

// foreignProduct returns a·b transposed, with scale factors that may be nil.
func foreignProduct(a, b *foreignMatrix, sa, sb *scales) []float64 {
	out := make([]float64, a.rows*b.rows)
	x, y := scaled(a, sa), scaled(b, sb)
	for i := range a.rows {
		for j := range b.rows {
			p, q := x[i*a.columns:][:a.columns], y[j*b.columns:][:a.columns]
			sum := 0.0
			for k, v := range p {
				sum += v * q[k]
			}
			out[i*b.rows+j] = sum
		}
	}
	return out
}

func scaled(m *foreignMatrix, s *scales) []float64 {
	out := slices.Clone(m.values)
	for i := range out {
		out[i] *= s.at(i/m.columns, i%m.columns)
	}
	return out
}

// smallIntegers returns a pattern of integers from -2 to 2 that has no period in common with tiles.
func smallIntegers(seed int) func(i, j int) float64 {
	return func(i, j int) float64 { return float64((i*7+j*13+i*j%11+seed*5)%5 - 2) }
}

func sameMatrix(t foreignT, got, want []float64, columns int, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d elements, want %d", len(got), len(want))
	}
	wrong, first := 0, 0
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			if wrong++; wrong == 1 {
				first = i
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d elements are wrong, first (%d,%d): %v, want %v", wrong, len(got),
			first/columns, first%columns, got[first], want[first])
	}
}

// A recordedLaunch is a launch that was recorded without a card.
type recordedLaunch struct {
	Entry                string
	Grid, Block, Cluster [3]int
	Shared               int
	result               *sim.Result
	seed                 uint64
	goOn                 int // findings, after which the run goes on
	Params               []struct{ Offset, Size int }
	Bytes                string
	Buffers              []struct {
		Address uint64
		Size    int64
	}
	memory  *sim.Memory
	program *sim.Program
	buffers []*sim.Buffer
	data    [][]byte
}

// loadForeign reads a launch; change edits its PTX.
func loadForeign(t *testing.T, name string, change func(string) string) *recordedLaunch {
	t.Helper()
	dir := foreign(t, name)
	list, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(list) == 0 {
		t.Fatalf("%s has no launch: %v", dir, err)
	}
	slices.Sort(list)
	text := readFile(t, list[len(list)-1])
	r := new(recordedLaunch)
	if err := json.Unmarshal(text, r); err != nil {
		t.Fatalf("%v", err)
	}
	r.program = loadProgram(t, filepath.Join(dir, "k.ptx"), change)
	prefix := strings.TrimSuffix(list[len(list)-1], ".json")
	for k, b := range r.Buffers {
		data, err := os.ReadFile(fmt.Sprintf("%s.buf%d.pre", prefix, k))
		if err != nil && b.Size > 0 {
			t.Fatalf("%v", err)
		}
		r.data = append(r.data, data)
	}
	return r
}

func readFile(t foreignT, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return b
}

func loadProgram(t foreignT, name string, change func(string) string) *sim.Program {
	t.Helper()
	text := string(readFile(t, name))
	if change != nil {
		next := change(text)
		if next == text {
			t.Fatalf("the change changes nothing")
		}
		text = next
	}
	m, err := ptx.Parse(text)
	if err != nil {
		t.Fatalf("%v", err)
	}
	p, err := sim.Load(m)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return p
}

// maps replaces the tensor maps that the recorder's driver refused.
func (r *recordedLaunch) maps(t *testing.T, dir string, params []byte) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "maps"))
	if err != nil {
		return
	}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var m struct {
			ID, Result, Type, Interleave, Swizzle, L2, Fill int
			Address                                         uint64
			Dims, Strides, Box, Steps                       []int64
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%v", err)
		}
		at := bytes.Index(params, binary.LittleEndian.AppendUint32([]byte("GIRIHMAP"), uint32(m.ID)))
		if at < 0 {
			continue
		}
		code, err := tensormap.Map{
			Type: tensormap.Type(m.Type), Address: m.Address, Dims: m.Dims, Strides: m.Strides, Box: m.Box, Steps: m.Steps,
			Interleave: tensormap.Interleave(m.Interleave), Swizzle: tensormap.Swizzle(m.Swizzle),
			Promotion: tensormap.Promotion(m.L2), Fill: tensormap.Fill(m.Fill),
		}.Encode()
		if err != nil {
			t.Fatalf("%v", err)
		}
		copy(params[at:], code[:])
	}
}

func (r *recordedLaunch) run(t *testing.T, name string) error {
	t.Helper()
	r.memory = memory(t, r.program)
	for k, b := range r.Buffers {
		var to *sim.Buffer
		if b.Size > 0 {
			var err error
			if to, err = r.memory.Place(fmt.Sprintf("buf%d", k), b.Address, b.Size, r.data[k]); err != nil {
				t.Fatalf("%v", err)
			}
		}
		r.buffers = append(r.buffers, to)
	}
	params, err := hex.DecodeString(r.Bytes)
	if err != nil {
		t.Fatalf("%v", err)
	}
	r.maps(t, foreign(t, name), params)
	var args []sim.Arg
	for _, p := range r.Params {
		args = append(args, sim.Bytes(params[p.Offset:][:p.Size]))
	}
	dim := func(x [3]int) sim.Dim { return sim.Dim{X: x[0], Y: x[1], Z: x[2]} }
	r.result, err = r.program.Run(context.Background(), r.memory, sim.Launch{
		Entry: r.Entry, Grid: dim(r.Grid), Block: dim(r.Block), Cluster: dim(r.Cluster), Shared: r.Shared, Args: args,
		NonPortable: true,
		Findings:    r.goOn, Seed: r.seed,
	})
	return err
}
