package codegen

import "strings"

// cppWords are the keywords of C++ and the names of cute that the generated code uses as types.
var cppWords = words(`
	alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
	compl concept const const_cast consteval constexpr constinit continue co_await co_return co_yield decltype
	default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline
	int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register
	reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template
	this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t
	while xor xor_eq
	C ComposedLayout Coord E Int Layout ScaledBasis Shape Stride Swizzle Tile Underscore
	ceil_div composition cute make_composed_layout make_coord make_layout make_shape make_stride make_tile make_tuple
`)

// pythonWords are the keywords of Python and the names that the generated code uses.
var pythonWords = words(`
	False None True and as assert async await break class continue def del elif else except finally for from global
	if import in is lambda nonlocal not or pass raise return try while with yield
	ComposedLayout Layout Swizzle cute int max min
`)

func words(list string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
