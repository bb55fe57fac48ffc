package kernel_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// failer is a test or a property.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkClasses compares a plan, which counts points by classes, with a plan that visits all blocks.
func checkClasses(t failer, k *kernel.Kernel, values map[string]int64) {
	t.Helper()
	grid, err := k.Grid(values)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var blocks [][3]int64
	for i := range grid[0] * grid[1] * grid[2] {
		blocks = append(blocks, [3]int64{i % grid[0], i / grid[0] % grid[1], i / grid[0] / grid[1]})
	}
	got, total, err := k.Plan(values)
	want, wantTotal, wantErr := k.PlanBlocks(values, blocks)
	if (err == nil) != (wantErr == nil) {
		if e, ok := errors.AsType[*cute.Error](wantErr); ok && e.Code == cute.CodeLimit {
			return
		}
		t.Fatalf("%s, %v: Plan has the error %v, PlanBlocks %v", k.Name, values, err, wantErr)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s, %v: %s at %s is counted as %+v, and visited as %+v", k.Name, values, got[i].Op, got[i].Address,
				got[i].Cost, want[i].Cost)
		}
	}
	if total != wantTotal {
		t.Fatalf("%s, %v: %+v in all, and visited %+v", k.Name, values, total, wantTotal)
	}
}

// A planner makes a random kernel for plans: loads and stores in loops and conditions, at sums of blocks, threads,
// counters and a run-time number.
type planner struct {
	t     *rapid.T
	k     *kernel.K
	n     kernel.Index
	outer []kernel.Index // counters of the loops around
	a, s  kernel.Tensor
	left  int // statements
}

func (p *planner) pick(n int) int { return rapid.IntRange(0, n-1).Draw(p.t, "choice") }

func (p *planner) index(depth int) kernel.Index {
	k := p.k
	if depth == 0 || p.pick(3) == 0 {
		leaves := append([]kernel.Index{
			k.BlockIdx(0), k.BlockIdx(1), k.ThreadIdx(), p.n, kernel.Int(int64(p.pick(40))), k.BlockIdx(0), k.ThreadIdx(),
		}, p.outer...)
		return leaves[p.pick(len(leaves))]
	}
	x := p.index(depth - 1)
	switch p.pick(10) {
	case 0, 1, 2:
		return x.Add(p.index(depth - 1))
	case 3:
		return x.Sub(p.index(depth - 1))
	case 4:
		return x.Mul(kernel.Int([]int64{2, 3, 4, 16, 32, 100}[p.pick(6)]))
	case 5:
		return x.Mod(1000).Mul(p.n)
	case 6:
		return x.Div(int64(1 + p.pick(9)))
	case 7:
		return x.Mod(int64(1 + p.pick(40)))
	case 8:
		q, r := x.Mod(1 << 12).DivMod(p.n)
		return []kernel.Index{q, r}[p.pick(2)]
	}
	return x.Mod(1 << 10).Min(p.index(depth - 1).Mod(100))
}

func (p *planner) cond(depth int) kernel.Cond {
	c := p.index(2).Less(p.index(2))
	if depth > 0 {
		switch p.pick(4) {
		case 0:
			c = c.And(p.cond(depth - 1))
		case 1:
			c = c.Or(p.cond(depth - 1))
		case 2:
			c = c.Not()
		}
	}
	return c
}

func (p *planner) stmts() {
	for first := true; p.left > 0 && (first || p.pick(4) != 0); first = false {
		p.left--
		k := p.k
		switch p.pick(7) {
		case 0:
			k.If(p.cond(1), p.stmts)
		case 1:
			k.IfElse(p.cond(1), p.stmts, p.stmts)
		case 2:
			from, to := p.index(1).Mod(4), p.index(1).Mod(6)
			if p.pick(2) == 0 {
				from, to = kernel.Int(0), kernel.Int(int64(p.pick(6)))
			}
			k.For(from, to, func(i kernel.Index) {
				p.outer = append(p.outer, i)
				p.stmts()
				p.outer = p.outer[:len(p.outer)-1]
			})
		case 3, 4:
			k.Store(k.Number(dtype.F32, 1), p.a, p.index(3).Add(kernel.Int(1<<36)))
		case 5:
			k.Store(k.Number(dtype.F32, 1), p.a, p.index(3).Mod(1<<10))
		default:
			k.Store(k.Number(dtype.F32, 1), p.s, p.index(3).Mod(1<<10))
		}
	}
}

// TestClasses compares plans of random kernels with plans that visit all blocks.
func TestClasses(t *testing.T) {
	t.Parallel()
	traced := 0
	rapid.Check(t, func(t *rapid.T) {
		k, err := kernel.Trace("f", []int64{32, 40, 64}[rapid.IntRange(0, 2).Draw(t, "threads")], func(k *kernel.K) {
			p := planner{t: t, k: k, n: k.Int("n", symbolic.Facts{Min: 1, Max: 50}), left: 8}
			p.a = k.GlobalLayout("a", dtype.F32, parse("1099511627776:1"))
			p.s = k.Shared("s", dtype.F32, parse("1024:1"))
			k.Grid(p.n, kernel.Int(3))
			p.stmts()
		})
		if err != nil {
			return // some addresses may leave the tensor
		}
		traced++
		checkClasses(t, k, map[string]int64{"n": rapid.Int64Range(1, 30).Draw(t, "n")})
	})
	if traced < 10 {
		t.Errorf("only %d kernels were traced", traced)
	}
}
