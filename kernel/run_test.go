package kernel_test

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"girih/cute"
	"girih/kernel"
	"girih/ptx/sim"
)

// A launch runs a kernel on the simulator. Arguments are []float32 for pointers, int for integers, float32 for scalars.
type launch struct {
	args []any
	grid [3]int64 // zero for the kernel's own
}

// runOne runs one block.
func runOne(t *testing.T, k *kernel.Kernel, args []any) {
	t.Helper()
	run(t, k, launch{args: args, grid: [3]int64{1, 1, 1}})
}

// run runs the kernel, which writes its results to the slices. It returns the simulator's result, for counts, or nil
// for a kernel with instructions that the simulator does not know.
func run(t *testing.T, k *kernel.Kernel, l launch) *sim.Result {
	t.Helper()
	p, err := sim.Load(k.Module)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	if len(l.args) != len(k.Params) {
		t.Fatalf("%d arguments for %d parameters", len(l.args), len(k.Params))
	}
	var args []sim.Arg
	buffers := map[int]*sim.Buffer{}
	values := map[string]int64{}
	for i, a := range l.args {
		switch a := a.(type) {
		case []float32:
			data, _ := binary.Append(nil, binary.LittleEndian, a)
			b, err := m.Put(k.Params[i].Name, data)
			if err != nil {
				t.Fatal(err)
			}
			buffers[i] = b
			args = append(args, sim.Pointer(b, 0))
		case []uint16:
			data, _ := binary.Append(nil, binary.LittleEndian, a)
			b, err := m.Put(k.Params[i].Name, data)
			if err != nil {
				t.Fatal(err)
			}
			buffers[i] = b
			if k.Params[i].Map {
				args = append(args, tensorMap(t, k, tensorOf{k.Params[i].Name, values, b.Address()}))
				continue
			}
			args = append(args, sim.Pointer(b, 0))
		case []byte:
			b, err := m.Put(k.Params[i].Name, a)
			if err != nil {
				t.Fatal(err)
			}
			buffers[i] = b
			if k.Params[i].Map {
				args = append(args, tensorMap(t, k, tensorOf{k.Params[i].Name, values, b.Address()}))
				continue
			}
			args = append(args, sim.Pointer(b, 0))
		case int:
			values[k.Params[i].Name] = int64(a)
			args = append(args, sim.U32(uint32(a)))
		case float32:
			args = append(args, sim.U32(math.Float32bits(a)))
		}
	}
	grid := l.grid
	if grid == [3]int64{} {
		if grid, err = k.Grid(values); err != nil {
			t.Fatal(err)
		}
	}
	r, err := p.Run(context.Background(), m, sim.Launch{
		Grid: sim.Dim{X: int(grid[0]), Y: int(grid[1]), Z: int(grid[2])}, Block: sim.Dim{X: int(k.Threads)}, Args: args,
		Shared: int(k.Dynamic),
	})
	if err != nil || len(r.Findings) > 0 {
		var text strings.Builder
		k.Module.WriteTo(&text)
		t.Fatalf("%v\n%s", err, numbered(text.String()))
	}
	checkPlan(t, k, plannedLaunch{values, grid}, r)
	for i, b := range buffers {
		switch a := l.args[i].(type) {
		case []float32:
			for j := range a {
				a[j] = math.Float32frombits(binary.LittleEndian.Uint32(b.Bytes()[4*j:]))
			}
		case []byte:
			copy(a, b.Bytes())
		case []uint16:
			for j := range a {
				a[j] = binary.LittleEndian.Uint16(b.Bytes()[2*j:])
			}
		}
	}
	return r
}

// A plannedLaunch is a launch for which a plan is made.
type plannedLaunch struct {
	values map[string]int64
	grid   [3]int64
}

// checkPlan compares the predicted traffic of a kernel with the measured traffic, by kinds of instructions.
func checkPlan(t *testing.T, k *kernel.Kernel, l plannedLaunch, r *sim.Result) {
	t.Helper()
	var blocks [][3]int64
	for z := range l.grid[2] {
		for y := range l.grid[1] {
			for x := range l.grid[0] {
				blocks = append(blocks, [3]int64{x, y, z})
			}
		}
	}
	plan, _, err := k.PlanBlocks(l.values, blocks)
	if err != nil {
		t.Fatalf("%s: %v", k.Name, err)
	}
	want, got := map[string]kernel.Cost{}, map[string]kernel.Cost{}
	add := func(to map[string]kernel.Cost, op string, c kernel.Cost) {
		c.Fewest, c.Ways = 0, 0
		c.Add(to[op])
		to[op] = c
	}
	for _, a := range plan {
		a.Cost.Ideal = a.Cost.Wavefronts - a.Cost.Ideal
		add(got, a.Op, a.Cost)
	}
	for _, line := range r.Lines {
		c := kernel.Cost{
			Requests: line.Traffic.Accesses, Bytes: line.Traffic.Bytes, Bulk: line.Traffic.Bulk,
			Sectors: line.Traffic.Sectors, Wavefronts: line.Traffic.Wavefronts, Ideal: line.Traffic.Conflicts,
			Unknown: line.Traffic.Unknown,
		}
		if c.Bulk > 0 {
			c.Requests = line.Warps
		}
		if c != (kernel.Cost{}) {
			add(want, string(line.Op), c)
		}
	}
	for op, c := range got {
		if c.Requests == 0 {
			continue
		}
		if w := want[op]; c != w {
			t.Errorf("%s: %s was planned as %+v, and made %+v", k.Name, op, c, w)
		}
		delete(want, op)
	}
	for op, c := range want {
		t.Errorf("%s: %s was not planned, and made %+v", k.Name, op, c)
	}
}

// A tensorOf is what a tensor map is filled with.
type tensorOf struct {
	name   string
	values map[string]int64
	at     uint64
}

func tensorMap(t *testing.T, k *kernel.Kernel, o tensorOf) sim.Arg {
	t.Helper()
	m, err := k.TensorMap(o.name, o.values, o.at)
	if err != nil {
		t.Fatal(err)
	}
	a, err := sim.TensorMap(m)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func numbered(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		b.WriteString(strings.TrimSpace(strings.Repeat(" ", 0)+itoa(i+1)) + "\t" + line + "\n")
	}
	return b.String()
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

var parse = cute.MustParse
