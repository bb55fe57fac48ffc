package service

import (
	"fmt"
	"slices"
	"strings"

	"girih"
	"girih/atom"
	"girih/draw"
	"girih/eval"
)

// A Picture is a kind of picture.
type Picture struct {
	Kind    string `json:"kind"`    // as girih draw --as takes it
	Doc     string `json:"doc"`     // what it shows, one sentence
	Example string `json:"example"` // the arguments of girih draw

	draw   func(*picturing) (*draw.Scene, error)
	failed bool // it is also the picture of an operation that failed: [picturing.op] has the operands
}

// Pictures returns the kinds of pictures in the order of presentation: the table of all.
func Pictures() []Picture {
	return slices.Concat(gridPictures(), threadPictures(), bankPictures(), bitPictures(), opPictures())
}

// findPicture returns the picture of a kind, nil if there is none.
func findPicture(kind string) *Picture {
	for _, p := range Pictures() {
		if strings.EqualFold(p.Kind, kind) {
			return &p
		}
	}
	return nil
}

func noPicture(kind string) *ErrorInfo {
	var names []string
	for _, p := range Pictures() {
		names = append(names, p.Kind)
	}
	return usage("expected a kind of picture, one of %s, found %.40q", strings.Join(names, ", "), kind)
}

// byDefault returns the picture that fits the value and what else is asked for.
func (d *picturing) byDefault() (string, error) {
	if len(d.req.Accesses) > 0 {
		return "bank", nil
	}
	switch v := d.value.(type) {
	case eval.Layout:
		if d.req.Tile != "" {
			return "tv", nil
		}
		return "layout", nil
	case eval.Composed:
		if swizzled(v.Composed) {
			return "swizzle", nil
		}
		return "layout", nil
	case eval.Swizzle:
		return "swizzle", nil
	case eval.Tuple:
		if !v.IsInt() {
			return "layout", nil
		}
	case eval.Tile:
		return "tile", nil
	case eval.List:
		return "list", nil
	case eval.Linear, eval.Encoding:
		return "linear", nil
	case eval.Xor:
		if n := v.Size(); n&(n-1) != 0 {
			return "layout", nil // bits would go on beyond it
		}
		return "matrix", nil
	case eval.Matrix:
		return "matrix", nil
	case eval.MMAAtom, eval.TiledMMA:
		return "mma", nil
	case eval.CopyAtom, eval.TiledCopy:
		return "copy", nil
	case eval.DynamicLayout, eval.DynamicComposed, eval.DynamicTuple, eval.DynamicTile:
		return "", runTime(d.value)
	}
	return "", &girih.Error{
		Code: girih.CodeType, Op: "draw", Msg: fmt.Sprintf("there is nothing to draw of %s: it is a value of kind %s", clipped(d.value.String()), d.value.Kind()),
		Hint: "layouts, shapes, swizzles, tiles, linear layouts, matrices, MMA and copy instructions have pictures; the kind of picture asked for may be that of an operation: composition, divide, complement",
	}
}

// runTime refuses run-time integers.
func runTime(v eval.Value) error {
	return &girih.Error{
		Code: girih.CodeUnknown, Op: "draw", Msg: fmt.Sprintf("a picture needs integers that are known, found %s", clipped(v.String())),
		Hint: "write numbers in the place of the run-time integers, or give the names values: let M = 8; in front",
	}
}

// mismatch is the error of a picture of another kind of value.
func (d *picturing) mismatch(kind, want string) error { return mismatch(kind, want, d.value) }

// mismatch is the error of a picture that shows something else than a value, which is nil of an operation that fails.
func mismatch(kind, want string, v eval.Value) error {
	found := "an operation without a value"
	switch v := v.(type) {
	case nil:
	case eval.DynamicLayout, eval.DynamicComposed, eval.DynamicTuple, eval.DynamicTile:
		return runTime(v)
	default:
		found = fmt.Sprintf("a value of kind %s: %s", v.Kind(), clipped(v.String()))
	}
	return &girih.Error{Code: girih.CodeType, Op: "draw", Msg: fmt.Sprintf("the picture %s shows %s, found %s", kind, want, found)}
}

// clipped shortens a text for a message.
func clipped(text string) string {
	if r := []rune(text); len(r) > 80 {
		return string(r[:77]) + "..."
	}
	return text
}

// namedAtom returns the MMA instruction that a text names, nil if it is none.
func namedAtom(text string) eval.Value {
	text = strings.TrimSpace(text)
	if len(text) < 8 || strings.ContainsAny(text, " \t\n()\"';:,<>+*=") {
		return nil
	}
	m, err := atom.FindMMA(text)
	if err != nil {
		return nil
	}
	return eval.MMAAtom{MMA: m}
}

// swizzled reports whether a composed layout has only swizzles outside, and integers as offsets.
func swizzled(c girih.Composed) bool {
	if c.HasBasis() || c.Layout().HasBasis() {
		return false
	}
	n := 0
	for f := range c.Stages() {
		if _, ok := f.(girih.Swizzle); !ok {
			return false
		}
		n++
	}
	return n > 0
}
