package examples_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/examples"
	"girih/internal/check/long"
	"girih/kernel"
	"girih/ptx"
)

// TestAttentionSM100 runs the kernel for one group of queries and for two, for odd lengths, for heads that share keys
// and for rows without keys, in several orders of warps. It asks for no finding of a lesser grade either.
func TestAttentionSM100(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		name                        string
		o                           examples.Options
		m, n, heads, kvHeads, batch int64
	}{
		{"attention_sm100", examples.Options{Tile: []int64{128, 64, 64}}, 100, 150, 1, 1, 1},
		{"attention_causal_sm100", examples.Options{Tile: []int64{256, 128, 64}, Type: dtype.BF16}, 259, 301, 1, 1, 1},
		{"attention_sm100", examples.Options{Tile: []int64{256, 64, 128}}, 129, 333, 2, 1, 1},
		{"attention_causal_sm100", examples.Options{Tile: []int64{128, 128, 128}}, 197, 61, 1, 1, 1},
		{"attention_causal_sm100", examples.Options{Tile: []int64{128, 48, 64}}, 60, 333, 3, 2, 1},
		{"attention_sm100", examples.Options{Tile: []int64{256, 80, 128}}, 1, 97, 1, 1, 2},
		{"attention_sm100", examples.Options{Tile: []int64{128, 16, 192}}, 5, 33, 1, 1, 1},
	} {
		if long.Skips(i, 2) {
			continue
		}
		p := attentionProblem(t, tt.name, tt.o, map[string]int64{
			"m": tt.m, "n": tt.n, "heads": tt.heads, "kv_heads": tt.kvHeads, "batch": tt.batch,
		})
		x, _ := examples.Find(tt.name)
		if r := runSeed(t, x, p, uint64(i)); len(r.Lesser) > 0 {
			t.Errorf("%s %v: %v", tt.name, tt.o, r.Lesser[0])
		}
	}
}

func attentionProblem(t *testing.T, name string, o examples.Options, e map[string]int64) examples.Problem {
	t.Helper()
	x, err := examples.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := x.Problem(trace(t, name, o), e, rand.New(rand.NewPCG(2, uint64(e["n"]))))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A mutation changes lines of PTX that contain a text.
type mutation struct {
	text string
	edit func(line string) string
}

// of returns the module of a kernel with the line number n of the mutation changed, or nil without such a line.
func (m mutation) of(t *testing.T, k *kernel.Kernel, n int) *ptx.Module {
	t.Helper()
	var b strings.Builder
	k.Module.WriteTo(&b)
	lines := strings.Split(b.String(), "\n")
	for i, l := range lines {
		if !strings.Contains(l, m.text) {
			continue
		}
		if n--; n >= 0 {
			continue
		}
		lines[i] = m.edit(l)
		out, err := ptx.Parse(strings.Join(lines, "\n"))
		if err != nil {
			t.Fatalf("%s: %v", lines[i], err)
		}
		return out
	}
	return nil
}

// drop leaves out a line.
func drop(string) string { return "" }

// TestAttentionSM100Mutants leaves out one instruction, or moves its place in tensor memory by a column: each such
// kernel gives a finding or a wrong result.
func TestAttentionSM100Mutants(t *testing.T) {
	t.Parallel()
	const name = "attention_sm100"
	x, _ := examples.Find(name)
	p := attentionProblem(t, name, examples.Options{Tile: []int64{128, 32, 64}}, map[string]int64{
		"m": 40, "n": 120, "heads": 1, "kv_heads": 1, "batch": 1,
	})
	first := func(l string) string { return strings.Replace(l, "]", "+1]", 1) }
	second := func(l string) string { return strings.Replace(l, "], %rd", "+1], %rd", 1) }
	for _, m := range []struct {
		mutation
		least    int   // instructions
		harmless []int // by their number among those with the text
	}{
		{mutation{"tcgen05.wait::", drop}, 7, []int{2, 3, 5, 6}},    // the use of a loaded register waits, too
		{mutation{"tcgen05.fence::", drop}, 14, []int{0, 1, 9, 13}}, // nothing came before, or nothing follows
		{mutation{"tcgen05.commit", drop}, 8, []int{6}},             // nobody waits for the last stage
		{mutation{"mbarrier.arrive", drop}, 8, []int{7}},            // nor for the last place of a factor
		{mutation{"tcgen05.mma", drop}, 12, nil},
		{mutation{"tcgen05.st", drop}, 3, nil},
		{mutation{"tcgen05.dealloc", drop}, 1, nil},
		{mutation{"tcgen05.ld", first}, 5, nil},
		{mutation{"tcgen05.st", first}, 3, nil},
		{mutation{"tcgen05.mma", first}, 12, nil},  // S or O
		{mutation{"tcgen05.mma", second}, 12, nil}, // S or P
	} {
		n := 0
		for ; ; n++ {
			changed := m.of(t, p.Kernel, n)
			if changed == nil {
				break
			}
			if slices.Contains(m.harmless, n) || long.Skips(n, 2) {
				continue
			}
			r, err := attempt(t, x, p, changed, 1)
			if err == nil && len(r.Lesser) == 0 {
				t.Errorf("%s, number %d: no finding", m.text, n)
			}
		}
		if n < m.least {
			t.Errorf("%d instructions have %s, expected %d at least", n, m.text, m.least)
		}
	}
}

func TestAttentionSM100Refused(t *testing.T) {
	t.Parallel()
	x, _ := examples.Find("attention_sm100")
	for _, tt := range []struct {
		tile []int64
		code cute.Code
	}{
		{[]int64{64, 64, 64}, cute.CodeNotDivisible},
		{[]int64{256, 24, 64}, cute.CodeNotDivisible},
		{[]int64{256, 128, 128}, cute.CodeLimit},
		{[]int64{128, 256, 192}, cute.CodeLimit},
	} {
		_, err := x.Trace(examples.Options{Tile: tt.tile})
		if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != tt.code || e.Hint == "" {
			t.Errorf("%v: %v", tt.tile, err)
		}
	}
}
