package eval_test

import (
	"fmt"
	"testing"

	"girih/internal/lang/eval"
)

// The test checks that a padded mode with a run-time extent is not coalesced with the next mode, for strides of any
// sign: where the conditions of a divide hold, its result equals the divide of the known layout.
func TestDividesOfStridesOfBothSigns(t *testing.T) {
	t.Parallel()
	held := 0
	for a := -3; a <= 3; a++ {
		for b := -9; b <= 9; b++ {
			for _, tile := range []string{"2:1", "3:1"} {
				src := fmt.Sprintf("tiled_divide((K,2):(%d,%d), %s)", a, b, tile)
				var e eval.Env
				rs, err := e.Eval(src)
				if err != nil {
					continue // a refusal claims nothing
				}
				for k := 1; k <= 9; k++ {
					form, holds := formAt(&e, rs[0].Value, map[string]int64{"K": int64(k)})
					if !holds {
						continue
					}
					known := fmt.Sprintf("tiled_divide((%d,2):(%d,%d), %s)", k, a, b, tile)
					want, err := eval.Eval(known)
					if err != nil || !equal(form, want.Value) {
						t.Errorf("%s = %v, %s, at K = %d: %v; %s = %v, %v", src, rs[0].Value, eval.Conditions(rs[0].Value), k, form,
							known, want.Value, err)
					}
					held++
				}
			}
		}
	}
	if held < 1000 {
		t.Errorf("only %d divides were compared", held)
	}
}
