package tile

import (
	"fmt"
	"strings"

	"girih/cute"
)

// A writer writes the code of a predicate in one language.
type writer struct {
	r   Predicate
	dsl bool // the code is for the CuTe DSL, not for CuTe C++
	b   strings.Builder
}

// letters name the modes of a tensor and the loops over them.
const letters = "mnklpqrs"

// letter returns the name of mode k.
func letter(k int) string {
	if k < len(letters) {
		return letters[k : k+1]
	}
	return fmt.Sprintf("x%d", k)
}

// CPP returns the predicate and the copy that uses it in CuTe C++, ready to paste: mX is the tensor, sX the other side
// of the copy, blk_m, blk_n, ... the coordinates of the tile. For a TiledMMA it is the loop of an epilogue.
func (r Predicate) CPP() string {
	w := writer{r: r}
	return w.write()
}

// DSL returns the same code in the CuTe DSL.
func (r Predicate) DSL() string {
	w := writer{r: r, dsl: true}
	return w.write()
}

func (w *writer) write() string {
	if w.r.part.thrfrg == nil {
		return ""
	}
	w.partition()
	if !w.r.Needed() {
		w.copy("")
		return w.b.String()
	}
	w.declare()
	w.fill()
	w.copy("tXpX")
	return w.b.String()
}

// line writes a line: a format for C++ and one for the DSL, with the same operands.
func (w *writer) line(cpp, dsl string, args ...any) {
	if w.dsl {
		fmt.Fprintf(&w.b, dsl+"\n", args...)
		return
	}
	fmt.Fprintf(&w.b, cpp+"\n", args...)
}

// partition writes the tile and one thread's part of it.
func (w *writer) partition() {
	var tile, blocks, extents []string
	for k, e := range w.r.edges {
		if w.dsl {
			tile = append(tile, fmt.Sprint(e.Tile))
		} else {
			tile = append(tile, fmt.Sprintf("Int<%d>{}", e.Tile))
		}
		blocks = append(blocks, "blk_"+letter(k))
		extents = append(extents, e.Extent.String())
	}
	shape := strings.Join(extents, ",")
	cpp := fmt.Sprintf("make_shape(%s), make_coord(%s)", strings.Join(tile, ", "), strings.Join(blocks, ", "))
	dsl := fmt.Sprintf("(%s), (%s)", list(tile), list(blocks))
	if w.dsl {
		cpp = dsl
	}
	w.line("Tensor gX = local_tile(mX, %s);", "gX = cute.local_tile(mX, %s)", cpp)
	if w.r.Needed() {
		// The identity tensor of an integer has coordinates without an axis, to which no thread can be added.
		of, dsl := "shape(mX)", "mX.shape"
		if w.flat() {
			of, dsl = "make_shape(size(mX))", "(cute.size(mX),)"
		}
		if w.dsl {
			of = dsl
		}
		w.line("Tensor cX = make_identity_tensor(%s);  // (%s) -> coordinates",
			"cX = cute.make_identity_tensor(%s)  # (%s) -> coordinates", of, shape)
		w.line("Tensor ccX = local_tile(cX, %s);", "ccX = cute.local_tile(cX, %s)", cpp)
	}
	w.line("auto thr = tiled_%s.get_slice(threadIdx.x);", "thr = tiled_%s.get_slice(tidx)", w.r.part.name)
	w.line("Tensor tXgX = thr.%s(gX);  // %v", "tXgX = thr.%s(gX)  # %v", w.r.part.method, w.r.DataShape())
	if w.r.Needed() {
		w.line("Tensor tXcX = thr.%s(ccX);", "tXcX = thr.%s(ccX)", w.r.part.method)
	}
	if other := w.other(); other != "" {
		w.line("Tensor tXsX = thr.%s(sX);", "tXsX = thr.%s(sX)", other)
	}
}

// flat reports whether the tensor has one mode, so that its shape may be an integer.
func (w *writer) flat() bool { return len(w.r.edges) == 1 }

// list joins the elements of a Python tuple, which has a trailing comma if it has one element.
func list(elems []string) string {
	if len(elems) == 1 {
		return elems[0] + ","
	}
	return strings.Join(elems, ", ")
}

// other returns the partition of the other side of a copy, "" for an MMA.
func (w *writer) other() string {
	switch w.r.part.method {
	case "partition_S":
		return "partition_D"
	case "partition_D":
		return "partition_S"
	}
	return ""
}

// declare writes the tensor of truth values.
func (w *writer) declare() {
	shape, stride := w.r.layout.Shape().Modes(), w.r.layout.Stride().Modes()
	if w.dsl {
		w.line("", "tXpX = cute.make_rmem_tensor(cute.make_layout((%s), stride=(%s)), cutlass.Boolean)",
			list(texts(shape, "%v")), list(texts(stride, "%v")))
		return
	}
	s, d := texts(shape, "Int<%v>"), texts(stride, "Int<%v>")
	if w.r.part.copies() {
		s[0], d[0] = "Shape<Int<1>,"+s[0]+">", "Stride<Int<0>,"+d[0]+">"
	}
	w.line("Tensor tXpX = make_tensor<bool>(Layout<Shape<%s>, Stride<%s>>{});", "", strings.Join(s, ","), strings.Join(d, ","))
}

//go:noinline
func texts(ts []cute.Tuple, format string) []string {
	var out []string
	for _, t := range ts {
		out = append(out, fmt.Sprintf(format, t))
	}
	return out
}

// fill writes the loops over the truth values and the comparison.
func (w *writer) fill() {
	shape := w.r.layout.Shape().Modes()
	at, indent := make([]string, len(shape)), ""
	for i, m := range w.r.in.modes {
		at[i] = "0"
		if count(m) == 1 || !w.r.depends(m) {
			continue
		}
		at[i] = "v"
		if i > 0 {
			at[i] = letter(i - 1)
		}
		w.line(indent+"for (int %[1]s = 0; %[1]s < %[2]v; ++%[1]s) {",
			indent+"for %[1]s in cutlass.range_constexpr(%[2]v):", at[i], shape[i])
		indent += "  "
		if w.dsl {
			indent += "  "
		}
	}
	data := append([]string(nil), at...)
	place := append([]string(nil), at...)
	if w.r.part.copies() {
		data[0] = "make_coord(0, " + at[0] + ")"
		if place[0] = data[0]; w.dsl {
			data[0], place[0] = "(0, "+at[0]+")", at[0]
		}
	}
	w.line(indent+"auto c = tXcX(%s);", indent+"c = tXcX[%s]", strings.Join(data, ", "))
	w.line(indent+"tXpX(%s) = %s;", indent+"tXpX[%s] = %s", strings.Join(place, ", "), w.compare())
	for len(indent) > 0 && !w.dsl {
		indent = indent[2:]
		w.line(indent+"}", "")
	}
}

// compare returns the comparison of the coordinates c: with the extents if the last tile may be short, and with the end
// of the tile if the TiledCopy extends beyond it, into the elements of the next CTA.
func (w *writer) compare() string {
	ragged := 0
	for _, e := range w.r.edges {
		if e.Ragged {
			ragged++
		}
	}
	var terms, coords, bounds []string // terms of C++, coordinates and bounds of the DSL
	switch {
	case w.flat() && ragged == 1:
		terms = append(terms, "elem_less(get<0>(c), size(mX))")
	case ragged == len(w.r.edges):
		terms = append(terms, "elem_less(c, shape(mX))")
	}
	over := false
	for k, e := range w.r.edges {
		if e.Ragged {
			bound := fmt.Sprintf("mX.shape[%d]", k)
			if w.flat() {
				bound = "cute.size(mX)"
			}
			coords, bounds = append(coords, fmt.Sprintf("c[%d]", k)), append(bounds, bound)
			if ragged < len(w.r.edges) {
				terms = append(terms, fmt.Sprintf("elem_less(get<%d>(c), shape<%[1]d>(mX))", k))
			}
		}
		if e.Cover > e.Tile {
			over = true
			end := fmt.Sprintf("(blk_%s + 1) * %d", letter(k), e.Tile)
			terms = append(terms, fmt.Sprintf("get<%d>(c) < %s", k, end))
			coords, bounds = append(coords, fmt.Sprintf("c[%d]", k)), append(bounds, end)
		}
	}
	switch {
	case !w.dsl:
		return strings.Join(terms, " && ")
	case ragged == len(w.r.edges) && !over && !w.flat():
		return "cute.elem_less(c, mX.shape)"
	case len(coords) == 1:
		return fmt.Sprintf("cute.elem_less(%s, %s)", coords[0], bounds[0])
	}
	return fmt.Sprintf("cute.elem_less((%s), (%s))", strings.Join(coords, ", "), strings.Join(bounds, ", "))
}

// copy writes the copy, with a predicate unless pred is "".
func (w *writer) copy(pred string) {
	src, dst := "tXgX", "tXsX"
	switch {
	case w.r.part.method == "partition_D":
		src, dst = dst, src
	case !w.r.part.copies():
		src, dst = "tXrX", "tXgX" // from the fragment of the result
		if w.r.part.method != "partition_C" {
			src, dst = dst, src
		}
	}
	switch {
	case pred == "" && w.r.part.copies():
		w.line("copy(tiled_copy, %s, %s);  // nothing to predicate", "cute.copy(tiled_copy, %s, %s)  # nothing to predicate",
			src, dst)
	case pred == "":
		w.line("copy(%s, %s);  // nothing to predicate", "cute.basic_copy(%s, %s)  # nothing to predicate", src, dst)
	case w.r.part.copies():
		w.line("copy_if(tiled_copy, tXpX, %s, %s);", "cute.copy(tiled_copy, %s, %s, pred=tXpX)", src, dst)
	default:
		w.line("copy_if(tXpX, %s, %s);", "cute.basic_copy_if(tXpX, %s, %s)", src, dst)
	}
}
