package follow_test

import (
	"slices"
	"strings"
	"testing"

	"girih/examples"
	"girih/internal/picture/follow"
	"girih/ptx/sim"
)

// verdictsOf returns the verdicts of the moves from a place to an operand or, for products, to a place.
func verdictsOf(m *follow.Model, kind follow.HopKind, place string) (out []follow.Ruling) {
	for i := range m.Hops {
		h := &m.Hops[i]
		p := append(h.From, h.To)
		if kind == follow.MMA {
			p = p[len(p)-1:]
		}
		if h.Kind == kind && m.Places[p[0]].Name == place {
			out = append(out, h.Verdicts...)
		}
	}
	return out
}

// nvf4 has operands of 4 bits and scale factors, and attentionTensor a matrix A in tensor memory.
var (
	nvf4            = trial{"nvf4_sm100", map[string]int64{"m": 128, "n": 256, "k": 256}, examples.Options{}}
	attentionTensor = trial{
		"attention_sm100", map[string]int64{"m": 256, "n": 64, "heads": 1, "kv_heads": 1, "batch": 1}, examples.Options{},
	}
)

// TestLegality checks the verdicts of products and operands: through registers, by descriptors of wgmma and tcgen05,
// K-major and, for V of attention, MN-major.
func TestLegality(t *testing.T) {
	attention := trial{
		"attention_sm90", map[string]int64{"m": 128, "n": 128, "heads": 1, "kv_heads": 1, "batch": 1}, examples.Options{},
	}
	pair := trial{"umma_2sm_sm100", map[string]int64{"m": 256, "n": 256, "k": 64}, examples.Options{}}
	for _, x := range []struct {
		trial
		kind  follow.HopKind
		place string
		want  []string // each is in one verdict
	}{
		{pair, follow.Read, "sB", []string{
			"SW128, K-major", "4 reads by descriptors find each element where the layout of sB has it, half of the rows in each block",
			"each core matrix",
		}},
		{attention, follow.Read, "fragment 3", []string{"fragments, as the instruction has them: ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"}},
		{nvf4, follow.Read, "sA", []string{
			"SW128, K-major, which the instruction reads: LBO 16, SBO 1024", "4 reads by descriptors", "each core matrix, 8 rows of 16 bytes",
		}},
		{nvf4, follow.Copy, "sSFA", []string{"4 blocks of 128 rows by 4 factors: row r goes to lane r mod 32 of column r div 32"}},
		{nvf4, follow.Copy, "sSFB", []string{"8 blocks of 128 rows by 4 factors"}},
		{attentionTensor, follow.Read, "tensor memory", []string{"8 reads of tensor memory, each of 8 columns, find A(m,k)"}},
		{trials[2], follow.MMA, "tCrC", []string{"16 by 8 by 16, A f16, B f16, sums f32, since sm_80"}},
		{trials[2], follow.Read, "tCrB", []string{"128 fragments, as the instruction has them: ((4,8),(2,2)):((16,1),(8,64))"}},
		{trials[4], follow.Read, "sA", []string{
			"SW128, K-major, which the instruction reads: LBO 16, SBO 1024", "64 reads by descriptors find each element",
			"begins at byte 1024, a multiple of 1024", "each core matrix, 8 rows of 16 bytes",
		}},
		{trials[5], follow.MMA, "tensor memory", []string{"128 by 64 by 16, A f16, B f16, sums f32, since sm_100a"}},
		{trials[5], follow.Read, "sB", []string{"SW128, K-major", "8 reads by descriptors", "a multiple of 1024"}},
		{attention, follow.Read, "sV", []string{"SW128, MN-major", "reads by descriptors", "each core matrix"}},
		{trials[0], follow.MMA, "rC", nil},
	} {
		t.Run(x.name+" "+x.place, func(t *testing.T) {
			t.Parallel()
			m := x.do(t).model
			got := verdictsOf(&m, x.kind, x.place)
			for _, want := range x.want {
				if !slices.ContainsFunc(got, func(r follow.Ruling) bool { return r.OK && strings.Contains(r.Text, want) }) {
					t.Errorf("no verdict has %q: %+v", want, got)
				}
			}
			if x.want == nil && len(got) > 0 {
				t.Errorf("products of single elements have verdicts: %+v", got)
			}
		})
	}
}

// TestNoFalseLegality describes the shared memory of a kernel wrongly: the verdicts that the reads contradict are not
// given. A target without the instruction is a bad verdict.
func TestNoFalseLegality(t *testing.T) {
	t.Parallel()
	d := trials[4].do(t)
	for _, x := range []struct {
		layout string
		want   int
	}{
		{d.kernel.Shared[0].Layout, 4},
		{strings.Replace(d.kernel.Shared[0].Layout, "Sw<3,3,3>", "Sw<2,3,3>", 1), 0}, // another swizzle
		{strings.Replace(d.kernel.Shared[0].Layout, "Sw<3,3,3> o 0 o ", "", 1), 0},
		{"", 0},
	} {
		k := d.kernel
		k.Shared = slices.Clone(k.Shared)
		k.Shared[0].Layout = x.layout
		k.Target = "sm_80"
		m := follow.Build(d.rec, k)
		if got := verdictsOf(&m, follow.Read, "sA"); len(got) != x.want {
			t.Errorf("%q has the verdicts %+v, expected %d", x.layout, got, x.want)
		}
		if got := verdictsOf(&m, follow.MMA, "tCrC"); len(got) != 1 || got[0].OK || got[0].What != "legality" {
			t.Errorf("sm_80 has wgmma: %+v", got)
		}
	}
}

// TestLegalityOfKernels checks that no kernel of examples has a bad verdict of legality, banks or alignment.
func TestLegalityOfKernels(t *testing.T) {
	for _, x := range trials {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			m := x.do(t).model
			for _, h := range m.Hops {
				for _, r := range h.Verdicts {
					if !r.OK && (h.Kind == follow.MMA || h.Kind == follow.Read) {
						t.Errorf("%s: %s", h.Words, r.Text)
					}
				}
			}
		})
	}
}

// TestNoFalseOperands changes one place of one recorded move: operands and scale factors that are not where their
// instruction reads them have no verdict.
func TestNoFalseOperands(t *testing.T) {
	pair := trial{"umma_2sm_sm100", map[string]int64{"m": 256, "n": 256, "k": 64}, examples.Options{}}
	registers := trial{
		"attention_sm90", map[string]int64{"m": 128, "n": 128, "heads": 1, "kv_heads": 1, "batch": 1}, examples.Options{},
	}
	swap := func(list []uint64) { list[0], list[len(list)-1] = list[len(list)-1], list[0] }
	for _, x := range []struct {
		trial
		place string
		kind  follow.HopKind
		first func(m *sim.Move) bool
		wrong func(m *sim.Move)
	}{
		{pair, "sB", follow.Read, func(m *sim.Move) bool { return m.Operand == 'B' }, func(m *sim.Move) {
			for i := range m.From.At { // the blocks of the pair exchanged
				m.From.At[i] ^= 1 << 24
			}
		}},
		{pair, "sB", follow.Read, func(m *sim.Move) bool { return m.Operand == 'B' }, func(m *sim.Move) { swap(m.From.At) }},
		{nvf4, "sA", follow.Read, func(m *sim.Move) bool { return m.Operand == 'A' }, func(m *sim.Move) { swap(m.From.At) }},
		{
			nvf4, "sSFA", follow.Copy, func(m *sim.Move) bool { return m.Kind == sim.MoveCopy && m.To.Space == sim.SideTensor },
			func(m *sim.Move) { swap(m.From.At) },
		},
		{attentionTensor, "tensor memory", follow.Read, func(m *sim.Move) bool {
			return m.Operand == 'A' && m.From.Space == sim.SideTensor
		}, func(m *sim.Move) { swap(m.From.At) }},
		{registers, "fragment 3", follow.Read, func(m *sim.Move) bool {
			return m.Operand == 'A' && m.From.Space == sim.SideRegisters
		}, func(m *sim.Move) { swap(m.To.At) }},
	} {
		t.Run(x.name+" "+x.place, func(t *testing.T) {
			t.Parallel()
			d := x.trial.do(t)
			before := follow.Build(d.rec, d.kernel)
			if len(verdictsOf(&before, x.kind, x.place)) == 0 {
				t.Fatal("no verdict without a change")
			}
			k := slices.IndexFunc(d.rec.Moves, func(m sim.Move) bool { return x.first(&m) })
			x.wrong(&d.rec.Moves[k])
			after := follow.Build(d.rec, d.kernel)
			if got := verdictsOf(&after, x.kind, x.place); len(got) > 0 {
				t.Errorf("with a change: %+v", got)
			}
		})
	}
}
