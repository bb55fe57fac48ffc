package gemm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/internal/check/product"
	"girih/kernel"
	"girih/kernel/gemm"
)

// TestInputs runs an epilogue whose inputs differ from product to product, or not.
func TestInputs(t *testing.T) {
	t.Parallel()
	modes := []string{"m", "nl", "mn", "mnl", "ml", "n"}
	e := gemm.Epilogue{Make: func(*kernel.K) func(kernel.Value, map[string]kernel.Value, ...kernel.Index) kernel.Value {
		return func(acc kernel.Value, in map[string]kernel.Value, _ ...kernel.Index) kernel.Value {
			for _, m := range modes {
				acc = acc.Add(in["x"+m])
			}
			return acc
		}
	}}
	for _, m := range modes {
		e.Inputs = append(e.Inputs, gemm.Input{Name: "x" + m, Type: dtype.F32, Modes: m})
	}
	for i, d := range []string{"(150,70,3):(70,1,10500)", "(150,70,3):(1,151,10571)", "(150,70,3):(210,1,70)"} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(4, uint64(i)))
			p := gemm.Problem{
				M: 150, N: 70, K: 40, L: 3, In: dtype.F16, InB: dtype.F16, Out: dtype.F32, Epilogue: e, D: cute.MustParse(d),
				A: product.Layout(150, 40, 3, r), B: product.Layout(70, 40, 3, r),
			}
			x := product.New(p, r)
			x.More = map[string][]float64{}
			for _, m := range modes {
				n := int64(1)
				for _, extent := range pick(m, p.M, p.N, p.L) {
					n *= extent
				}
				v := make([]float64, n)
				for j := range v {
					v[j] = float64(r.IntN(9))
				}
				x.More["x"+m] = v
			}
			x.Adds = func(i, j, l int64) (sum float64) {
				for _, m := range modes {
					c := append(pick(m, i, j, l), 0)
					s := map[string][]int64{"mn": {p.N, 1}, "mnl": {p.N, 1, p.M * p.N}, "ml": {1, p.M}, "nl": {1, p.N}}[m]
					at := c[0]
					if s != nil {
						at = 0
						for q, d := range s {
							at += c[q] * d
						}
					}
					sum += x.More["x"+m][at]
				}
				return sum
			}
			for _, card := range []gemm.Card{small, smaller} {
				plan, err := gemm.New(p, card, gemm.Options{})
				if err != nil {
					t.Fatal(err)
				}
				simulate(t, x, plan, uint64(i))
				check(t, x, plan)
				for j := range x.D.X {
					x.D.X[j] = 77
				}
			}
		})
	}
}

// pick returns the coordinates that some modes have.
func pick[T any](modes string, m, n, l T) (out []T) {
	for _, c := range modes {
		out = append(out, map[rune]T{'m': m, 'n': n, 'l': l}[c])
	}
	return out
}
