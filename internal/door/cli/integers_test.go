package cli

import (
	"slices"
	"testing"
)

// Integers are read as lists and as tuples.
func TestIntegers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]int64{
		"32,8": {32, 8}, "(32,8)": {32, 8}, " ( 32 , 8 ) ": {32, 8}, "8": {8}, "(8,)": {8}, "-1": {-1},
		"": nil, "(32,8": nil, "32,8)": nil, "()": nil, "((32,8))": nil, "32,": nil, "9223372036854775808": nil,
	} {
		var x integers
		if err := x.Set(text); (err != nil) != (want == nil) || err == nil && !slices.Equal(x, want) {
			t.Errorf("%q is %v, %v; want %v", text, x, err, want)
		}
	}
}
