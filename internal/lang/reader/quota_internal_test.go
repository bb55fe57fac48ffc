package reader

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// The test checks that a quota counts with the true sizes of the types on 64-bit machines.
func TestSizes(t *testing.T) {
	t.Parallel()
	if strconv.IntSize != 64 {
		t.Skip("the sizes are those of 64 bits")
	}
	for _, c := range []struct {
		what      string
		got, want uintptr
	}{
		{"token", unsafe.Sizeof(token{}) + 1, tokenBytes},
		{"node", unsafe.Sizeof(node{}), nodeBytes},
		{"found", unsafe.Sizeof(found{}), foundBytes},
		{"Item", unsafe.Sizeof(Item{}), itemBytes},
		{"Field", unsafe.Sizeof(Field{}), fieldBytes},
	} {
		if c.got != c.want {
			t.Errorf("%s has %d bytes, %d are counted", c.what, c.got, c.want)
		}
	}
}

// hostile are the texts that need the most memory for their length.
func hostile(n int) map[string]string {
	texts := map[string]string{"table": "[[0,1" + strings.Repeat("],[7,1", n/6) + "]]"}
	for _, piece := range []string{
		"(2,3):(1,2)\n", "(1,2)", "[", "(", "1,", "[1,2],", "make_layout(make_shape(2,3))\n", "|0|1|\n", "0 1\n", "T0V0 T0V1\n",
		"TiledMMA\n a: (1)\n", "x = (4,8)\n", "a b ",
	} {
		texts[piece] = strings.Repeat(piece, n/len(piece))
	}
	return texts
}

// The test checks that Read reports all memory that it uses and releases all memory that it held. The values of a long
// text, one after another, stay within the limit.
func TestHold(t *testing.T) {
	t.Parallel()
	const length = 1 << 17
	for name, text := range hostile(length) {
		held, most := int64(0), int64(0)
		hold := func(n int64) error {
			held += n
			most = max(most, held)
			return nil
		}
		r := ReadWithin(text, Limits{Hold: hold})
		if held != 0 {
			t.Errorf("%q: %d bytes are not given back", name, held)
		}
		atLeast := int64(len(r.Items)*(foundBytes+itemBytes)) - chargeBytes
		if most < atLeast || most > 160*length {
			t.Errorf("%q: %d bytes of text hold %d bytes", name, length, most)
		}
	}
}

// The test checks that reading ends when a limit refuses, even in the middle of a value.
func TestHoldRefused(t *testing.T) {
	t.Parallel()
	full := errors.New("no memory")
	for name, text := range hostile(1 << 17) {
		for _, most := range []int64{0, 1 << 20, 3 << 20} {
			held := int64(0)
			r := ReadWithin(text, Limits{Hold: func(n int64) error {
				if held+n > most {
					return full
				}
				held += n
				return nil
			}})
			if r.Err == nil && most == 0 || r.Err != nil && (r.Err != full || len(r.Items) > 0) || held != 0 {
				t.Errorf("%q within %d bytes: %d items, %v, %d bytes held", name, most, len(r.Items), r.Err, held)
			}
		}
	}
}

// The test checks that reading can also be stopped within a value that is the whole text.
func TestStopWithin(t *testing.T) {
	t.Parallel()
	late := errors.New("it takes too long")
	calls := 0
	r := ReadWithin("("+strings.Repeat("1,", 1<<16)+"1)", Limits{Stop: func() error {
		if calls++; calls > 200 { // more calls than there are tokens
			return late
		}
		return nil
	}})
	if r.Err != late || calls != 201 {
		t.Errorf("%v after %d questions", r.Err, calls)
	}
}
