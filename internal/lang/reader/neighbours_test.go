package reader_test

import (
	"strings"
	"testing"

	"girih/internal/lang/reader"
)

// The test checks that a swizzle next to a layout is not composed with the layout, and that a note says so.
func TestSwizzleBeside(t *testing.T) {
	t.Parallel()
	for text, noted := range map[string]bool{
		"sA: Sw<3,4,3> (8,64):(64,1)":                                 true,
		"Sw<3,4,3>(8,64):(64,1)":                                      true,
		"(8,64):(64,1) Sw<3,4,3>":                                     true,
		"S<3,4,3> (_8,_64):(_64,_1)":                                  true,
		"Sw<3,4,3>\n(8,64):(64,1)":                                    true,
		"Sw<3,4,3> o 0 o (8,64):(64,1)":                               false,
		"swizzle Sw<3,4,3>, layout (8,64):(64,1)":                     false,
		"Sw<3,4,3> o _0 o (_8,_64):(_64,_1)":                          false,
		"(8,64):(64,1)":                                               false,
		"Swizzle<3,4,3> is that of the tile whose layout is 64:1":     false,
		"(8,64):(64,1) with " + strings.Repeat("x", 70) + "Sw<3,4,3>": false,
	} {
		found := false
		for _, it := range reader.Read(text).Items {
			for _, n := range it.Notes {
				found = found || strings.Contains(n, "was not composed")
			}
		}
		if found != noted {
			t.Errorf("%q: noted %v, want %v", text, found, noted)
		}
	}
}
