package diagnose

import (
	"strings"
	"sync"
)

// A frame is one function of a backtrace.
type frame struct {
	name   string  // the function's name without namespaces and parameters: composition
	params []param // the template parameters that have names
	args   []string
	place  string // the file and line of the call, file:line
	head   string // the signature before the parameters
}

// A param is a template parameter, or a value, that a backtrace names.
type param struct {
	name, text string
}

// maxFrames limits the frames of one message.
const maxFrames = 512

// param returns the text of the first of the named parameters that the frame has.
//
//go:noinline
func (f *frame) param(names ...string) string {
	for _, name := range names {
		for _, p := range f.params {
			if p.name == name {
				return p.text
			}
		}
		if text := f.positional(name); text != "" {
			return text
		}
	}
	return ""
}

// value returns the canonical text of a parameter.
func (f *frame) value(names ...string) string { return value(f.param(names...)) }

// hasValues reports whether the frame names values, as frames of C++ do.
func (f *frame) hasValues() bool { return len(f.params)+len(f.args) > 0 }

// positional returns a parameter by position. Clang writes composition<A, B, C, D>; other compilers name parameters.
//
//go:noinline
func (f *frame) positional(name string) string {
	for _, sig := range signatures()[f.name] {
		if len(sig) != len(f.args) {
			continue
		}
		for i, s := range sig {
			if s == name {
				return f.args[i]
			}
		}
	}
	return ""
}

// layoutArguments returns the shapes and strides of a function's parameters in order, if all parameters are layouts:
// f(const Layout<C<6>, C<1>> &, const Layout<C<4>, C<4>> &) has the same arguments as f<C<6>, C<1>, C<4>, C<4>>.
func layoutArguments(head string) (args []string) {
	open := strings.IndexByte(head, '(')
	end := strings.LastIndexByte(head, ')')
	if open < 0 || end < open {
		return nil
	}
	for _, p := range split(head[open+1:end], ',') {
		qualified, layout, ok := strings.Cut(p, "Layout<")
		last := strings.LastIndexByte(layout, '>')
		before := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(qualified), "const"))
		if !ok || last < 0 || before != "" && before != "cute::" {
			return nil // another type: a ComposedLayout, or a type that contains a layout
		}
		args = append(args, split(layout[:last], ',')...)
	}
	return args
}

// functionName returns the name of the function or class in a signature, and the arguments in angle brackets. A lambda
// or a class without a name is called lambda.
func functionName(head string) (name string, args []string) {
	if strings.Contains(head, "lambda") || strings.Contains(head, "(anonymous class)") {
		return "lambda", nil
	}
	if i := strings.Index(head, "operator()"); i >= 0 {
		return "operator()", nil
	}
	head = strings.TrimSpace(head[:parametersAt(head)])
	open := len(head)
	if strings.HasSuffix(head, ">") {
		open = angleAt(head)
		args = split(head[min(open+1, len(head)-1):len(head)-1], ',')
		for n := len(args); n > 0 && args[n-1] == "nullptr"; n-- {
			args = args[:n-1] // a parameter that only selects an overload
		}
	}
	name = head[:open]
	if i := strings.LastIndexFunc(name, func(r rune) bool { return !isName(r) }); i >= 0 {
		name = name[i+1:]
	}
	return name, args
}

// parametersAt returns the place of the parenthesis that opens the parameters of a signature, or its length.
func parametersAt(head string) int {
	depth := 0
	for i := range len(head) {
		switch head[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && head[i-1] != '-' {
				depth--
			}
		case '(':
			// the ( of auto cute::f(...), but not the ( of decltype(auto)
			if depth == 0 && !strings.HasSuffix(head[:i], "decltype") {
				return i
			}
		}
	}
	return len(head)
}

// angleAt returns the place of the < that matches the > at the end of a name, or the length of the name.
func angleAt(name string) int {
	depth := 0
	for i := len(name) - 1; i >= 0; i-- {
		switch name[i] {
		case '>':
			depth++
		case '<':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(name)
}

// signatures lists the template parameters of CuTe's functions in order, as include/cute declares them. Clang prints
// the arguments without the parameters' names. The table is text, since a map of lists is 20 kB of code that fills it.
var signatures = sync.OnceValue(func() map[string][][]string {
	all := make(map[string][][]string)
	for line := range strings.Lines(`composition: LShape LStride RShape RStride | LShape LStride Tiler | A O B Tiler
composition_impl: LShape LStride RShape RStride
logical_divide: LShape LStride TShape TStride | LShape LStride Tiler | A O B Tiler
zipped_divide: LShape LStride Tiler | A O B Tiler
tiled_divide: LShape LStride Tiler | A O B Tiler
flat_divide: LShape LStride Tiler | A O B Tiler
logical_product: LShape LStride TShape TStride | LShape LStride Tiler | A O B Tiler
zipped_product: LShape LStride Tiler | A O B Tiler
tiled_product: LShape LStride Tiler | A O B Tiler
flat_product: LShape LStride Tiler | A O B Tiler
blocked_product: TShape TStride UShape UStride | A O B Tiler
raked_product: TShape TStride UShape UStride | A O B Tiler
tile_to_shape: Shape Stride TrgShape ModeOrder | A O B Shape ModeOrder
complement: Shape Stride | Shape Stride CoTarget
left_inverse: Shape Stride
right_inverse: Shape Stride
upcast: N Shape Stride | N A O B
downcast: N Shape Stride | N A O B
recast_layout: OldType NewType Shape Stride | OldType NewType A O B
shape_div: IntTupleA IntTupleB
ceil_div: IntTupleA IntTupleB
inner_product: IntTupleA IntTupleB
coalesce: Shape Stride IntTuple | Shape Stride
crd2idx: Coord Shape Stride | Coord Shape
idx2crd: Index Shape Stride | Index Shape
slice: A B | Coord Shape Stride | Coord A O B
dice: A B | Coord Shape Stride
compact_order: Shape Order | Shape Order RefShape RefOrder
copy_unpack: AnyCPYTraits SEngine SLayout DEngine DLayout
call: SEngine SLayout DEngine DLayout
copy: CopyAtom TV Tiler SrcEngine SrcLayout DstEngine DstLayout
TiledCopy: Copy_Atom LayoutCopy_TV ShapeTiler_MN
gemm: MMA TD DLayout TA ALayout TB BLayout TC CLayout
make_tiled_copy: CopyOp ValType ThrLayout ValLayout
make_tiled_copy_impl: CopyOp ValType LayoutCopy_TV Tiler
make_gmma_desc: MajorMode TEngine TLayout
make_umma_desc: MajorMode TEngine TLayout
layout_type: Engine Shape Stride
get_tma_swizzle_bits: B M S
get_tma_swizzle_base: B M S
Swizzle: BBits MBase SShift
`) {
		name, choices, _ := strings.Cut(line, ":")
		for choice := range strings.SplitSeq(choices, "|") {
			all[name] = append(all[name], strings.Fields(choice))
		}
	}
	return all
})
