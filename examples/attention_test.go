package examples_test

import (
	"math/rand/v2"
	"testing"

	"girih/dtype"
	"girih/examples"
	"girih/internal/check/long"
)

// TestAttention runs the kernels for other tiles than the default, for heads that share keys, for rows without keys,
// and in several orders of warps.
func TestAttention(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		name                        string
		o                           examples.Options
		m, n, heads, kvHeads, batch int64
	}{
		{"attention_sm80", examples.Options{Tile: []int64{128, 64, 64}}, 130, 197, 2, 1, 1},
		{"attention_causal_sm80", examples.Options{Tile: []int64{128, 64, 64}}, 197, 61, 1, 1, 1},
		{"attention_causal_sm80", examples.Options{Tile: []int64{64, 32, 64}, Type: dtype.BF16}, 67, 141, 3, 2, 2},
		{"attention_causal_sm80", examples.Options{Tile: []int64{64, 128, 64}}, 1, 200, 4, 2, 1},
		{"attention_sm90", examples.Options{Tile: []int64{128, 128, 64}}, 130, 397, 2, 1, 1},
		{"attention_sm80", examples.Options{Tile: []int64{64, 16, 256}}, 5, 35, 1, 1, 2},
		{"attention_causal_sm90", examples.Options{Tile: []int64{192, 48, 64}, Type: dtype.BF16}, 197, 61, 3, 2, 1},
		{"attention_sm90", examples.Options{Tile: []int64{128, 16, 192}}, 1, 33, 1, 1, 1},
		{"attention_causal_sm90", examples.Options{Tile: []int64{128, 64, 128}}, 60, 200, 4, 2, 2},
	} {
		if long.Skips(i, 2) {
			continue
		}
		x, err := examples.Find(tt.name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := x.Problem(trace(t, tt.name, tt.o), map[string]int64{
			"m": tt.m, "n": tt.n, "heads": tt.heads, "kv_heads": tt.kvHeads, "batch": tt.batch,
		}, rand.New(rand.NewPCG(2, uint64(i))))
		if err != nil {
			t.Fatal(err)
		}
		runSeed(t, x, p, uint64(i))
	}
}

// TestAttentionTraffic checks that no access to shared memory has conflicts. It counts the 32-bit registers that are
// live at once: outputs and scores, 64 each for d of 64, two blocks of Q and of K, 24 each, maxima and sums. The others
// are addresses, and a compiler may compute some of them again.
func TestAttentionTraffic(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		tile []int64
		most int // registers
	}{
		{"attention_causal_sm80", []int64{128, 64, 64}, 230},
		{"attention_causal_sm80", []int64{128, 64, 128}, 302},
		{"attention_causal_sm90", []int64{128, 128, 64}, 240},
		{"attention_causal_sm90", []int64{128, 128, 128}, 240},
	} {
		k := trace(t, tt.name, examples.Options{Tile: tt.tile})
		_, total, err := k.Plan(map[string]int64{"m": 1000, "n": 1000, "heads": 2, "kv_heads": 2, "batch": 1})
		if err != nil || total.Wavefronts != total.Ideal {
			t.Errorf("%s %v: %d wavefronts, expected %d, %v", tt.name, tt.tile, total.Wavefronts, total.Ideal, err)
		}
		if n := live(k); n > tt.most {
			t.Errorf("%s %v: %d registers are live at once, want %d at most", tt.name, tt.tile, n, tt.most)
		}
	}
}
