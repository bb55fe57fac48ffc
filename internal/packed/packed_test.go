package packed

import (
	"testing"

	"girih/internal/door/web/deflate"
)

func TestBytes(t *testing.T) {
	for _, want := range []string{"", "a", "a text, a text, a text\n"} {
		if got := string(Bytes(deflate.Gzip([]byte(want)))); got != want {
			t.Errorf("found %q, expected %q", got, want)
		}
	}
}

func TestDamaged(t *testing.T) {
	whole := deflate.Gzip([]byte("a text"))
	for _, b := range [][]byte{nil, []byte("a text"), whole[:len(whole)-1]} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d bytes are read", len(b))
				}
			}()
			Bytes(b)
		}()
	}
}
