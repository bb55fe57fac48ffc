package pattern_test

import (
	"slices"
	"testing"

	"girih/internal/pattern"
)

const number pattern.Pattern = `(-?)(\d+)`

func TestMethods(t *testing.T) {
	t.Parallel()
	const text = "from -12 to 7"
	if !number.MatchString(text) || number.MatchString("from here") {
		t.Error("MatchString")
	}
	if got := number.FindString(text); got != "-12" {
		t.Errorf("FindString = %q", got)
	}
	if got := number.FindAllString(text, -1); !slices.Equal(got, []string{"-12", "7"}) {
		t.Errorf("FindAllString = %q", got)
	}
	if got := number.FindStringSubmatch(text); !slices.Equal(got, []string{"-12", "-", "12"}) {
		t.Errorf("FindStringSubmatch = %q", got)
	}
	if got := number.FindAllStringSubmatch(text, 1); len(got) != 1 || got[0][2] != "12" {
		t.Errorf("FindAllStringSubmatch = %q", got)
	}
	if got := number.ReplaceAllString(text, "<$2>"); got != "from <12> to <7>" {
		t.Errorf("ReplaceAllString = %q", got)
	}
	if got := number.ReplaceAllStringFunc(text, func(s string) string { return s + s }); got != "from -12-12 to 77" {
		t.Errorf("ReplaceAllStringFunc = %q", got)
	}
}

// After the first use a pattern costs no more than a regular expression.
func TestCompiledOnce(t *testing.T) {
	number.MatchString("")
	if n := testing.AllocsPerRun(100, func() { number.MatchString("17") }); n > 1 { // the key of the map
		t.Errorf("%v allocations", n)
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	pattern.Pattern("(").MatchString("")
}
