package service

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/internal/picture/draw"
)

// A Picture is a kind of picture.
type Picture struct {
	Kind    string `json:"kind"`    // the kind as girih draw --as names it
	Doc     string `json:"doc"`     // what the picture shows, in one sentence
	Example string `json:"example"` // arguments of girih draw that make such a picture

	draw   func(*drawJob) (*draw.Scene, error)
	failed bool // also draws an operation that failed, whose operands are in [drawJob.op]
	// ops are the operations that the picture shows with their operands, nil if the picture shows a value. A name may
	// also end in _exact.
	ops []string
}

// Pictures returns the table of all kinds of pictures, in the order of presentation.
func Pictures() []Picture {
	return slices.Concat(gridPictures(), threadPictures(), bankPictures(), descriptorPictures(), tmaPictures(),
		bitPictures(), opPictures(), []Picture{{
			Kind: pictureOfValue, Doc: "The value alone, where the last operation has a picture.",
			Example: "'complement((2,3):(2,4), 24)' --as value", draw: drawValue,
		}})
}

// pictureOfValue is the kind that asks for the value, not for the operation that made the value.
const pictureOfValue = "value"

func drawValue(d *drawJob) (*draw.Scene, error) {
	kind, err := d.ofValue()
	if err != nil {
		return nil, err
	}
	return findPicture(kind).draw(d)
}

// findPicture returns the picture of a kind, nil if the kind is unknown.
func findPicture(kind string) *Picture {
	for _, p := range Pictures() {
		if strings.EqualFold(p.Kind, kind) {
			return &p
		}
	}
	return nil
}

func noPicture(kind string) *report.Error {
	var names []string
	for _, p := range Pictures() {
		names = append(names, p.Kind)
	}
	return usage("expected a kind of picture, one of %s, found %.40q", strings.Join(names, ", "), kind)
}

// byDefault returns the picture of the operation that made the value, if there is one and the request has no option
// about a value. Otherwise it returns the picture of the value.
func (d *drawJob) byDefault() (string, error) {
	r := d.req
	if d.op == nil || len(r.Accesses) > 0 || r.Instr != "" || r.Tile != "" || r.Fix != "" ||
		r.ColorBy != "" && r.ColorBy != "auto" {
		return d.ofValue()
	}
	for _, p := range opPictures() {
		if !p.shows(d.op.Op) || !slices.ContainsFunc(d.op.Args, isLayout) || slices.ContainsFunc(d.op.Args, notInteger) {
			continue
		}
		if _, err := p.draw(d); err == nil {
			return p.Kind, nil
		}
	}
	return d.ofValue()
}

// isLayout reports whether a value is a layout.
func isLayout(v eval.Value) bool { return v.Kind() == eval.KindLayout }

// notInteger reports whether an operand is anything but a layout, tuple or tiler of known integers: pictures of
// operations show only the inner layout of a composed layout.
func notInteger(v eval.Value) bool {
	switch v.(type) {
	case eval.Layout, eval.Tuple, eval.Tile, eval.Coord:
		return false
	}
	return true
}

// shows reports whether the picture shows an operation of that name.
func (p *Picture) shows(op string) bool {
	return slices.Contains(p.ops, strings.TrimSuffix(op, "_exact"))
}

// valuePictures are the pictures of the kinds of values. Options of the request and special properties of a value take
// precedence: see ofValue.
var valuePictures = map[eval.Kind]string{
	eval.KindLayout: "layout", eval.KindComposed: "layout", eval.KindTuple: "layout", eval.KindSwizzle: "swizzle",
	eval.KindTile: "tile", eval.KindList: "list", eval.KindLinear: "linear", eval.KindEncoding: "linear",
	eval.KindXor: "matrix", eval.KindMatrix: "matrix", eval.KindMMAAtom: "mma", eval.KindTiledMMA: "mma",
	eval.KindCopyAtom: "copy", eval.KindTiledCopy: "copy",
}

// ofValue returns the picture that fits the value and the options of the request.
func (d *drawJob) ofValue() (string, error) {
	switch {
	case len(d.req.Accesses) > 0:
		return "bank", nil
	case d.req.Instr != "":
		return "descriptor", nil
	case isRunTime(d.value):
		return "", runTime(d.value)
	}
	switch v := d.value.(type) {
	case eval.Layout:
		if d.req.Tile != "" {
			return "tv", nil
		}
	case eval.Composed:
		if isSwizzled(v.Composed) {
			return "swizzle", nil
		}
	case eval.Xor:
		if n := v.Size(); n&(n-1) != 0 {
			return "layout", nil // a picture of bits would show indices beyond the size
		}
	}
	if kind := valuePictures[d.value.Kind()]; kind != "" {
		return kind, nil
	}
	return "", &cute.Error{
		Code: cute.CodeType, Op: "draw", Msg: fmt.Sprintf("there is nothing to draw of %s: it is a value of kind %s",
			clip(d.value.String()), d.value.Kind()),
		Hint: "layouts, shapes, swizzles, tiles, linear layouts, matrices, MMA and copy instructions have pictures; the " +
			"kind of picture asked for may belong to an operation: composition, divide, complement",
	}
}

// isRunTime reports whether a value has integers that are known at run time only.
func isRunTime(v eval.Value) bool {
	switch v.(type) {
	case eval.DynamicLayout, eval.DynamicComposed, eval.DynamicTuple, eval.DynamicTile:
		return true
	}
	return false
}

// runTime refuses run-time integers.
func runTime(v eval.Value) error {
	return &cute.Error{
		Code: cute.CodeUnknown, Op: "draw", Msg: fmt.Sprintf("a picture needs integers that are known, found %s",
			clip(v.String())),
		Hint: "write numbers in the place of the run-time integers, or give the names values: let M = 8; in front",
	}
}

// mismatch is the error for a picture of another kind of value.
func (d *drawJob) mismatch(kind, want string) error { return mismatch(kind, want, d.value) }

// mismatch is the error for a picture that does not show the value; v is nil if the operation failed.
func mismatch(kind, want string, v eval.Value) error {
	found := "an operation without a value"
	switch {
	case isRunTime(v):
		return runTime(v)
	case v != nil:
		found = fmt.Sprintf("a value of kind %s: %s", v.Kind(), clip(v.String()))
	}
	return &cute.Error{
		Code: cute.CodeType, Op: "draw",
		Msg: fmt.Sprintf("the picture %s shows %s, found %s", kind, want, found),
	}
}

// clip shortens a text for a message.
func clip(text string) string {
	if r := []rune(text); len(r) > 80 {
		return string(r[:77]) + "..."
	}
	return text
}

// isSwizzled reports whether a composed layout has only swizzles outside, and integers as offsets.
func isSwizzled(c cute.Composed) bool {
	if c.HasBasis() || c.Layout().HasBasis() {
		return false
	}
	n := 0
	for f := range c.Stages() {
		if _, ok := f.(cute.Swizzle); !ok {
			return false
		}
		n++
	}
	return n > 0
}
