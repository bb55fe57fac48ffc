package copy

import (
	"fmt"
	"strconv"
	"strings"

	"girih/symbolic"
)

// Formulas returns the arguments of the kernel except src and dst, by parameter name, as formulas of the run-time
// integers of the layouts, named as in [Symbols]. They use * and +, floor(a, b) and ceil(a, b) for
// a/b, mod, min and abs. It is nil for a plan without run-time integers.
func (p *Plan) Formulas() map[string]string {
	if p.open == nil {
		return nil
	}
	out := map[string]string{}
	for _, a := range p.open.params {
		out[a.name] = symbolic.Fold(a.x, formula{})
	}
	if !p.formula() { // the last parameter
		var tiles []string
		for i, m := range p.open.modes {
			tiles = append(tiles, fmt.Sprintf("ceil(%s, %d)", symbolic.Fold(m.extent, formula{}), p.tile[i]))
		}
		out[p.open.params[len(p.open.params)-1].name] = strings.Join(tiles, "*")
	}
	return out
}

// A formula writes expressions.
type formula struct{}

func (formula) Const(n int64) string             { return strconv.FormatInt(n, 10) }
func (formula) Symbol(s *symbolic.Symbol) string { return s.Name() }
func (formula) Sum(terms []string) string        { return "(" + strings.Join(terms, " + ") + ")" }
func (formula) Product(factors []string) string  { return strings.Join(factors, "*") }

func (formula) Apply(op symbolic.Op, args []string) string {
	return string(op) + "(" + strings.Join(args, ", ") + ")"
}
