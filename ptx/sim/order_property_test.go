package sim_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/ptx/sim"
)

// A step is one action of a warp in its program.
type step struct {
	kind string // "ld", "st", "cp": an access; "sync": a barrier of all warps; "named": a barrier of two warps;
	// "arrive", "wait": an mbarrier; "land": a wait for all copies of the warp except the last to
	at int // the byte, or the number of the barrier
	n  int // bytes
	to int // for "named": the other warp
}

// A program describes several warps, each with its steps.
type program struct {
	warps   [][]step
	global  bool
	cluster bool // warps 2 and 3 are in a second block; the bytes are in the first one
}

const (
	places  = 4 // words
	barBase = 64
)

// draw draws a program. If full is set, all barriers of the program are for all warps.
func draw(t *rapid.T, full bool) program {
	p := program{warps: make([][]step, rapid.IntRange(2, 4).Draw(t, "warps")), global: rapid.Bool().Draw(t, "global")}
	if p.cluster = !full && rapid.Bool().Draw(t, "cluster"); p.cluster {
		p.warps = make([][]step, 4)
	}
	bars := 0
	for range rapid.IntRange(1, 14).Draw(t, "steps") {
		w := rapid.IntRange(0, len(p.warps)-1).Draw(t, "warp")
		kinds := []string{"ld", "st", "ld", "st", "sync"}
		if !p.global {
			kinds = append(kinds, "cp", "land", "cp", "land")
		}
		if !full {
			kinds = append(kinds, "named", "mbarrier", "named", "mbarrier")
		}
		switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
		case "sync":
			for i := range p.warps {
				p.warps[i] = append(p.warps[i], step{kind: "sync"})
			}
		case "named": // both warps wait
			o := (w + rapid.IntRange(1, len(p.warps)-1).Draw(t, "other")) % len(p.warps)
			if p.cluster {
				o = w ^ 1
			}
			bars++
			p.warps[w] = append(p.warps[w], step{kind: "named", at: 1 + min(w, o)*4 + max(w, o), to: o})
			p.warps[o] = append(p.warps[o], step{kind: "named", at: 1 + min(w, o)*4 + max(w, o), to: w})
		case "mbarrier": // w arrives, o waits
			o := (w + rapid.IntRange(1, len(p.warps)-1).Draw(t, "other")) % len(p.warps)
			p.warps[w] = append(p.warps[w], step{kind: "arrive", at: bars, to: o})
			p.warps[o] = append(p.warps[o], step{kind: "wait", at: bars, to: w})
			bars++
		case "land":
			p.warps[w] = append(p.warps[w], step{kind: kind, to: rapid.IntRange(0, 1).Draw(t, "left")})
		default:
			n := 4
			if p.cluster && kind == "cp" && w > 1 {
				kind = "ld"
			}
			if !full && kind != "cp" {
				n = rapid.SampledFrom([]int{1, 2, 4, 4, 8}).Draw(t, "bytes")
			}
			p.warps[w] = append(p.warps[w], step{kind: kind, at: rapid.IntRange(0, places*4/n-1).Draw(t, "place") * n, n: n})
		}
	}
	return p
}

// source writes p as PTX. Each store has a different value, and each mbarrier is used only once.
func (p program) source() string {
	var b strings.Builder
	space, base, meet := "shared", "%r9", "bar.sync 0;"
	if p.cluster {
		space, base = "shared::cluster", "%r8"
		meet = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
	}
	if p.global {
		space, base = "global", "%rd1"
	}
	fmt.Fprintf(&b, `.version 9.0
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .pred %%p<8>; .reg .b16 %%h<8>; .reg .b32 %%r<16>; .reg .b64 %%rd<8>;
	.shared .align 16 .b8 tile[%d];
	.shared .align 8 .b64 bars[64];
	ld.param.u64 %%rd1, [out];
	mov.u32 %%r1, %%tid.x;
	mov.u32 %%r9, tile;
	shr.u32 %%r2, %%r1, 5;
	and.b32 %%r3, %%r1, 31;
	setp.eq.u32 %%p1, %%r3, 0;
	mov.u32 %%r10, %%cluster_ctarank;
	mapa.shared::cluster.u32 %%r8, %%r9, 0;
	mad.lo.u32 %%r2, %%r10, 2, %%r2;
	setp.ne.u32 %%p2, %%r1, 0;
	@%%p2 bra READY;
`, places*4)
	for i := range places {
		fmt.Fprintf(&b, "\tmov.u32 %%r4, %d;\n\tst.shared.u32 [%%r9+%d], %%r4;\n", 0x01010101*(i+1), 4*i)
	}
	for i := range 64 {
		fmt.Fprintf(&b, "\tmbarrier.init.shared.b64 [bars+%d], 1;\n", 8*i)
	}
	fmt.Fprintf(&b, "READY:\t%s\n", meet)
	for w := range p.warps {
		fmt.Fprintf(&b, "\tsetp.eq.u32 %%p3, %%r2, %d;\n\t@%%p3 bra W%d;\n", w, w)
	}
	value, types := 16, map[int]string{1: "u8", 2: "u16", 4: "u32", 8: "u64"}
	regs := map[int]string{1: "%h1", 2: "%h1", 4: "%r4", 8: "%rd3"}
	moves := map[int]string{1: "u16", 2: "u16", 4: "u32", 8: "u64"}
	for w, steps := range p.warps {
		fmt.Fprintf(&b, "W%d:\n", w)
		for i, s := range steps {
			switch s.kind {
			case "ld":
				fmt.Fprintf(&b, "\t@%%p1 ld.%s.%s %s, [%s+%d];\n", space, types[s.n], regs[s.n], base, s.at)
			case "st":
				value++
				v := uint64(value)
				if s.n == 8 {
					v |= v << 32
				}
				if s.n == 2 || s.n == 1 {
					v &= 255
				}
				fmt.Fprintf(&b, "\tmov.%s %s, %d;\n\t@%%p1 st.%s.%s [%s+%d], %s;\n",
					moves[s.n], regs[s.n], v, space, types[s.n], base, s.at, regs[s.n])
			case "cp":
				fmt.Fprintf(&b, "\t@%%p1 cp.async.ca.shared.global [%%r9+%d], [%%rd1+%d], 4;\n\tcp.async.commit_group;\n",
					s.at, 16+s.at)
			case "land":
				fmt.Fprintf(&b, "\tcp.async.wait_group %d;\n", s.to)
			case "sync":
				fmt.Fprintf(&b, "\t%s\n", meet)
			case "named":
				fmt.Fprintf(&b, "\tbar.sync %d, 64;\n", s.at%15+1)
			case "arrive":
				fmt.Fprintf(&b, "\tmapa.shared::cluster.u32 %%r5, bars, %d;\n", p.rank(s.to))
				fmt.Fprintf(&b, "\t@%%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%%r5+%d];\n", 8*s.at)
			case "wait":
				fmt.Fprintf(&b, "L%d_%d:\tmbarrier.try_wait.parity.shared.b64 %%p4, [bars+%d], 0;\n\t@!%%p4 bra L%d_%d;\n",
					w, i, 8*s.at, w, i)
			}
		}
		if p.cluster { // keeps the shared memory alive until the end
			fmt.Fprintf(&b, "\t%s\n", meet)
		}
		b.WriteString("\tret;\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// rank returns the rank of the block of a warp.
func (p program) rank(w int) int {
	if p.cluster {
		return w / 2
	}
	return 0
}

// order returns a function that reports whether step j of warp v comes after step i of warp u, by program order and the
// barriers. It searches the graph of all steps for a path from i to j. Steps that meet at a barrier are one node.
func (p program) order() func(u, i, v, j int) bool {
	type node struct{ w, i int }
	meet := map[[3]int]int{} // kind, pair, count: the node of a barrier
	count := map[[3]int]int{}
	var nodes int
	id := map[node]int{}
	edges := [][]int{}
	add := func() int { edges = append(edges, nil); nodes++; return nodes - 1 }
	arrived := map[int]int{}
	for w, steps := range p.warps {
		for i, s := range steps {
			var n int
			switch s.kind {
			case "sync", "named":
				key := [3]int{len(s.kind), s.at, 0}
				k := [3]int{len(s.kind)*100 + w, s.at, 0}
				key[2] = count[k]
				count[k]++
				m, ok := meet[key]
				if !ok {
					m = add()
					meet[key] = m
				}
				n = m
			case "arrive", "wait":
				n = add()
				if s.kind == "arrive" {
					arrived[s.at] = n
				}
			default:
				n = add()
			}
			id[node{w, i}] = n
			if i > 0 {
				a := id[node{w, i - 1}]
				edges[a] = append(edges[a], n)
			}
		}
	}
	for w, steps := range p.warps {
		for i, s := range steps {
			if s.kind == "wait" {
				a := arrived[s.at]
				edges[a] = append(edges[a], id[node{w, i}])
			}
		}
	}
	reach := make([][]bool, nodes)
	for a := range reach {
		reach[a] = make([]bool, nodes)
		stack := []int{a}
		for len(stack) > 0 {
			x := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, y := range edges[x] {
				if !reach[a][y] {
					reach[a][y] = true
					stack = append(stack, y)
				}
			}
		}
	}
	return func(u, i, v, j int) bool { return reach[id[node{u, i}]][id[node{v, j}]] }
}

// landed returns the step of warp w that waits for the copy at step i, or a large number if there is none.
func (p program) landed(w, i int) int {
	behind := 0
	for j, s := range p.warps[w][i+1:] {
		if s.kind == "cp" {
			behind++
		}
		if s.kind == "land" && s.to <= behind {
			return i + 1 + j
		}
	}
	return 1 << 30
}

// races reports whether two accesses of different warps overlap, at least one writes, and neither comes before the
// other. A copy writes from its own step to the step that waits for the copy.
func (p program) races() bool {
	order := p.order()
	before := func(u, i, v, j int) bool {
		if p.warps[u][i].kind == "cp" {
			if i = p.landed(u, i); i >= len(p.warps[u]) {
				return false
			}
		}
		return u == v && i < j || u != v && order(u, i, v, j)
	}
	for w, steps := range p.warps {
		for i, x := range steps {
			for j, y := range steps {
				if x.kind == "cp" && y.n > 0 && i < j && x.at < y.at+y.n && y.at < x.at+x.n && !before(w, i, w, j) {
					return true
				}
			}
		}
	}
	for u, a := range p.warps {
		for v, b := range p.warps {
			for i, x := range a {
				for j, y := range b {
					if u < v && x.n > 0 && y.n > 0 && (x.kind != "ld" || y.kind != "ld") && x.at < y.at+y.n && y.at < x.at+x.n &&
						!before(u, i, v, j) && !before(v, j, u, i) {
						return true
					}
				}
			}
		}
	}
	return false
}

func check(t *rapid.T, full bool) {
	p := draw(t, full)
	src := p.source()
	prog := loadText(t, src)
	m, err := prog.NewMemory()
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Put("out", make([]byte, 64))
	if err != nil {
		t.Fatal(err)
	}
	l := sim.Launch{
		Block: sim.Dim{X: 32 * len(p.warps)}, Args: []sim.Arg{sim.Pointer(out, 0)}, Seed: rapid.Uint64Range(0, 5).Draw(t, "seed"),
	}
	if p.cluster {
		l.Block.X, l.Grid.X, l.Cluster.X = 64, 2, 2
	}
	_, err = prog.Run(context.Background(), m, l)
	f, found := errors.AsType[*sim.Finding](err)
	pending := found && (f.Kind == sim.KindReadPending || f.Kind == sim.KindWritePending)
	if err != nil && !pending && (!found || f.Kind != sim.KindRace) {
		t.Fatalf("%v\n%s", err, src)
	}
	want := p.races()
	if found && !want {
		t.Fatalf("a race where there is none: %v\n%+v\n%s", err, p, src)
	}
	if full && !found && want {
		t.Fatalf("no race where there is one:\n%+v\n%s", p, src)
	}
}

// TestOrderBarriers runs programs whose warps synchronize only at barriers of the block. With every seed, a race must
// be found if and only if the program has one.
func TestOrderBarriers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { check(t, true) })
}

// TestOrder runs programs with barriers of all kinds and accesses of all sizes. If a program has no race, none may be
// found.
func TestOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { check(t, false) })
}

func FuzzOrder(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { check(t, false) }))
}
