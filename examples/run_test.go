package examples_test

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"girih/examples"
	"girih/internal/check/long"
	"girih/kernel"
	"girih/ptx"
	"girih/ptx/sim"
)

// run launches a kernel in the simulator, and checks its output and its traffic.
func run(t *testing.T, x examples.Recipe, p examples.Problem) *sim.Result {
	t.Helper()
	return runSeed(t, x, p, 0)
}

// runSeed is run in the order that a seed draws; 0 is the usual order.
func runSeed(t *testing.T, x examples.Recipe, p examples.Problem, seed uint64) *sim.Result {
	t.Helper()
	module, r := launch(t, x, p, seed)
	checkPlan(t, p, module, r)
	return r
}

// launch is runSeed without the comparison with the plan.
func launch(t *testing.T, x examples.Recipe, p examples.Problem, seed uint64) (*ptx.Module, *sim.Result) {
	t.Helper()
	var text strings.Builder
	p.Kernel.Module.WriteTo(&text)
	module, err := ptx.Parse(text.String())
	if err != nil {
		t.Fatal(err)
	}
	r, err := attempt(t, x, p, module, seed)
	if err != nil {
		t.Fatalf("%s, %v: %v\n%s", x.Name, p.Extents, err, &text)
	}
	return module, r
}

// attempt is launch of a module, such as a changed one. It returns a finding of the simulator, or what is wrong with
// the output.
func attempt(
	t *testing.T, x examples.Recipe, p examples.Problem, module *ptx.Module, seed uint64,
) (*sim.Result, error) {
	t.Helper()
	program, err := sim.Load(module)
	if err != nil {
		t.Fatal(err)
	}
	m, err := program.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	var args []sim.Arg
	var out *sim.Buffer
	for _, q := range p.Kernel.Params {
		switch v := p.Scalars[q.Name]; {
		case q.Pointer:
			b, err := m.Put(q.Name, p.Bytes(q.Name))
			if err != nil {
				t.Fatal(err)
			}
			if q.Name == x.Output {
				out = b
			}
			if q.Map {
				args = append(args, tensorMap(t, p, q.Name, b.Address()))
				continue
			}
			args = append(args, sim.Pointer(b, 0))
		case q.Facts.Max != 0:
			args = append(args, sim.U32(uint32(p.Extents[q.Name])))
		case q.Type.Bits() == 64:
			args = append(args, sim.U64(math.Float64bits(v)))
		default:
			args = append(args, sim.U32(math.Float32bits(float32(v))))
		}
	}
	grid, err := p.Kernel.Grid(p.Extents)
	if err != nil {
		t.Fatal(err)
	}
	r, err := program.Run(context.Background(), m, sim.Launch{
		Grid:  sim.Dim{X: int(grid[0]), Y: int(grid[1]), Z: int(grid[2])},
		Block: sim.Dim{X: int(p.Kernel.Threads)}, Shared: int(p.Kernel.Dynamic), Args: args, Seed: seed,
	})
	if err != nil {
		return nil, err
	}
	return r, x.Check(p, out.Bytes())
}

// checkPlan compares the predicted traffic of a kernel with its traffic in the simulator, instruction by instruction:
// requests, different bytes of lanes, bytes of the copy engine, sectors, wavefronts, and accesses of unknown cost.
func checkPlan(t *testing.T, p examples.Problem, m *ptx.Module, r *sim.Result) {
	t.Helper()
	values := maps.Clone(p.Extents)
	for name, x := range p.Scalars {
		if x == 0 {
			values[name] = 0 // C is not read
		}
	}
	plan, total, err := p.Kernel.Plan(values)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int]sim.LineCount{}
	for _, l := range r.Lines {
		lines[l.Line] = l
	}
	var sum kernel.Cost
	i, open := 0, false
	for s := range m.Func(ptx.Name(p.Kernel.Name)).Stmts() {
		in, ok := s.(*ptx.Instr)
		if !ok || !moves(in.Op) {
			continue
		}
		if i == len(plan) {
			t.Fatalf("%s: the plan has %d accesses, and %v is one more", p.Kernel.Name, i, in)
		}
		a, l := plan[i], lines[int(in.Pos.Line)]
		want := costOf(l.Traffic)
		if in.Op.Has("bulk") {
			want.Requests = l.Warps // the simulator does not count these as accesses
		}
		got := a.Cost
		if got.Fewest > got.Sectors {
			t.Fatalf("%s: %v has %d sectors, fewer than the fewest, %d", p.Kernel.Name, in, got.Sectors, got.Fewest)
		}
		got.Fewest, got.Ways, got.Ideal = 0, 0, got.Wavefronts-got.Ideal
		if open = open || got.Unknown > 0 && !in.Op.Has("bulk"); open { // data decide the rest
			got = want
		}
		if a.Op != string(in.Op) || got != want {
			t.Fatalf("%s, %v: %v was planned as %+v, and made %+v", p.Kernel.Name, p.Extents, in, a, l.Traffic)
		}
		sum.Add(a.Cost)
		i++
	}
	whole, all := total, costOf(r.Traffic)
	whole.Fewest, whole.Ways, whole.Ideal = 0, 0, whole.Wavefronts-whole.Ideal
	for _, a := range plan {
		if ptx.Op(a.Op).Has("bulk") {
			all.Requests += a.Cost.Requests
		}
	}
	if i != len(plan) || sum != total || whole != all && !open {
		t.Errorf("%s: planned %+v, and moved %+v", p.Kernel.Name, total, r.Traffic)
	}
}

// costOf returns the traffic in the form of a plan, except that Ideal contains the conflicts.
func costOf(t sim.Traffic) kernel.Cost {
	return kernel.Cost{
		Requests: t.Accesses, Bytes: t.Bytes, Bulk: t.Bulk, Sectors: t.Sectors, Wavefronts: t.Wavefronts, Ideal: t.Conflicts,
		Unknown: t.Unknown,
	}
}

// moves reports whether an instruction moves elements.
func moves(op ptx.Op) bool {
	switch op.Name() {
	case "ld", "st", "atom", "red":
		return op.Space() == ptx.Global || op.Space() == ptx.Shared
	case "ldmatrix", "stmatrix":
		return true
	case "cp":
		return !op.Has("commit_group") && !op.Has("wait_group")
	}
	return false
}

// tensorMap returns the tensor map of a parameter.
func tensorMap(t *testing.T, p examples.Problem, name string, at uint64) sim.Arg {
	t.Helper()
	m, err := p.Kernel.TensorMap(name, p.Extents, at)
	if err != nil {
		t.Fatal(err)
	}
	a, err := sim.TensorMap(m)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// extents draws extents that k accepts, up to a little more than two tiles along each mode, and a few blocks.
func extents(x examples.Recipe, k *kernel.Kernel, r *rand.Rand) map[string]int64 {
	out := map[string]int64{}
	i := 0
	for _, q := range k.Params {
		if q.Pointer || q.Facts.Max == 0 {
			continue
		}
		if q.Name == "ctas" {
			out[q.Name] = 1 + r.Int64N(16)
			continue
		}
		div, most := max(q.Facts.Div, 1), max(x.Default.Tile[min(i, len(x.Default.Tile)-1)]*9/4, 40)
		out[q.Name] = div * (1 + r.Int64N(max(cmp.Or(x.Few[q.Name], most)/div, 2)))
		i++
	}
	return out
}

// TestAll runs each kernel for random extents in the simulator, which also finds races, and compares the output with
// 64-bit arithmetic.
func TestAll(t *testing.T) {
	t.Parallel()
	for _, x := range examples.All() {
		for _, typ := range x.Types {
			t.Run(x.Name+"/"+typ.String(), func(t *testing.T) {
				t.Parallel()
				r := rand.New(rand.NewPCG(uint64(len(x.Name)), uint64(typ)))
				divs := []int64{0}
				if x.Default.Div == 1 {
					divs = append(divs, 4)
				}
				for _, div := range divs {
					k, err := x.Trace(examples.Options{Type: typ, Div: div})
					if err != nil {
						t.Fatal(err)
					}
					if k.Name != x.Name {
						t.Errorf("the kernel of %s is %s", x.Name, k.Name)
					}
					for i := range 2 {
						if long.Skips(i, 2) {
							continue
						}
						p, err := x.Problem(k, extents(x, k, r), r)
						if err != nil {
							t.Fatal(err)
						}
						run(t, x, p)
					}
				}
			})
		}
	}
}

// TestBetaZero checks that kernels with a factor of C do not read C if the factor is 0: C is NaN, and the plan, which
// then does not count C, agrees with the simulator.
func TestBetaZero(t *testing.T) {
	t.Parallel()
	found := 0
	for _, x := range examples.All() {
		k, err := x.Trace(examples.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(5, 0))
		p, err := x.Problem(k, extents(x, k, r), r)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := p.Scalars["beta"]; !ok {
			continue
		}
		found++
		p.Scalars["beta"] = 0
		for i := range p.Tensors["C"] {
			p.Tensors["C"][i] = math.NaN()
		}
		run(t, x, p)
	}
	if found != 3 {
		t.Errorf("%d kernels have a factor beta, expected sgemm_1, sgemm_2 and sgemm_sm70", found)
	}
}

// TestPersistent runs persistent with fewer blocks than tiles, with as many, and with more, in several orders.
func TestPersistent(t *testing.T) {
	t.Parallel()
	x, err := examples.Find("persistent")
	if err != nil {
		t.Fatal(err)
	}
	k := trace(t, "persistent", examples.Options{Tile: []int64{32, 32, 8}})
	r := rand.New(rand.NewPCG(6, 2))
	for seed, ctas := range []int64{1, 4, 6, 9} {
		p, err := x.Problem(k, map[string]int64{"m": 61, "n": 70, "k": 19, "ctas": ctas}, r)
		if err != nil {
			t.Fatal(err)
		}
		launch(t, x, p, uint64(seed))
	}
}

// TestOrders runs the kernels whose blocks or threads meet at one place, in several orders of warps and blocks.
func TestOrders(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"histogram", "reduce", "lookback"} {
		x, err := examples.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		k := trace(t, name, examples.Options{Tile: []int64{512}})
		r := rand.New(rand.NewPCG(2, 9))
		for seed := range uint64(6) {
			p, err := x.Problem(k, map[string]int64{"n": 1 + r.Int64N(3000)}, r)
			if err != nil {
				t.Fatal(err)
			}
			launch(t, x, p, seed)
		}
	}
}
