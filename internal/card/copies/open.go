package copies

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/card/command"
	"girih/internal/lang/eval"
	"girih/kernel/copy"
	"girih/symbolic"
)

// A copyPlan is a plan with its layouts, which are nil while run-time integers have no values.
type copyPlan struct {
	*copy.Plan
	src, dst cute.Inner
}

// layouts plans the copy between the layouts of the request.
func (r *copyRequest) layouts() (*copyPlan, error) {
	if !r.open() {
		src, err := parseInner(r.src)
		if err != nil {
			return nil, err
		}
		dst, err := parseInner(r.dst)
		if err != nil {
			return nil, err
		}
		p, err := copy.New(src, dst, r.o)
		return &copyPlan{p, src, dst}, err
	}
	var env eval.Env
	src, err := openLayout(&env, r.src)
	if err != nil {
		return nil, err
	}
	dst, err := openLayout(&env, r.dst)
	if err != nil {
		return nil, err
	}
	p, err := copy.NewSymbolic(src, dst, r.o)
	if err != nil {
		return nil, err
	}
	values, err := r.values(src, dst)
	if err != nil || len(values) == 0 && r.set == nil {
		return &copyPlan{Plan: p}, err
	}
	if p, err = p.At(values); err != nil {
		return nil, err
	}
	a, err := src.At(values)
	if err != nil {
		return nil, err
	}
	b, err := dst.At(values)
	return &copyPlan{p, a, b}, err
}

// open reports whether a layout has run-time integers: names or ?.
func (r *copyRequest) open() bool {
	for _, text := range []string{r.src, r.dst} {
		if strings.Contains(text, " o ") {
			text = text[strings.LastIndex(text, " o ")+3:]
		}
		if r.set != nil || strings.ContainsFunc(text, func(c rune) bool { return c == '?' || c == '_' || c >= 'A' }) {
			return true
		}
	}
	return false
}

// openLayout evaluates a layout of the language. A name is the same integer in all layouts of env.
func openLayout(env *eval.Env, text string) (symbolic.Layout, error) {
	results, err := env.Eval(text)
	if err != nil {
		return symbolic.Layout{}, plain(err)
	}
	if len(results) == 1 {
		if l, ok := eval.Symbolic(results[0].Value); ok {
			return l, nil
		}
	}
	return symbolic.Layout{}, &cute.Error{
		Code: cute.CodeType, Op: "copy",
		Msg:  fmt.Sprintf("%s is not a layout of run-time integers: expected shape:stride", text),
		Hint: "swizzled layouts can be copied if all their integers are known",
	}
}

// plain returns the error of the algebra inside an error of the language.
func plain(err error) error {
	if e, ok := errors.AsType[*cute.Error](err); ok {
		return e
	}
	return err
}

// values reads the values of the run-time integers of two layouts; ? alone is ?1.
func (r *copyRequest) values(src, dst symbolic.Layout) (symbolic.Values, error) {
	symbols := copy.Symbols(src, dst)
	out := symbolic.Values{}
	for _, item := range r.set {
		name, text, ok := strings.Cut(item, "=")
		if name = strings.TrimSpace(name); name == "?" {
			name = "?1"
		}
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if !ok || err != nil {
			return nil, command.UsageError(fmt.Sprintf("--set takes NAME=INTEGER of 64 bits, found %q", item))
		}
		s := symbols[name]
		if s == nil {
			return nil, &cute.Error{
				Code: cute.CodeName, Op: "copy", Msg: fmt.Sprintf("the layouts have no run-time integer %q", name),
				Hint: "they have: " + strings.Join(slices.Sorted(maps.Keys(symbols)), " "),
			}
		}
		if old, twice := out[s]; twice && old != n {
			return nil, command.UsageError(fmt.Sprintf("%s has two values, %d and %d", name, old, n))
		}
		out[s] = n
	}
	return out, nil
}
