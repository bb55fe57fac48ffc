package sim

import (
	"reflect"
	"testing"
)

// TestSizes checks the approximate sizes: at least the real size, and not much more.
func TestSizes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		of   reflect.Type
		said uintptr
	}{
		{reflect.TypeFor[wordPage](), wordPageBytes},
		{reflect.TypeFor[record](), recordBytes},
		{reflect.TypeFor[records](), lineExtra},
		{reflect.TypeFor[operation](), operationBytes},
		{reflect.TypeFor[region](), regionBytesOf},
		{reflect.TypeFor[segment](), segmentBytes},
		{reflect.TypeFor[syncPoint](), pointBytes},
		{reflect.TypeFor[meetings](), meetingBytes},
		{reflect.TypeFor[linePage](), linePageBytes},
	} {
		if n := c.of.Size(); n > c.said || c.said > 3*n {
			t.Errorf("%v takes %d bytes, and %d are counted", c.of, n, c.said)
		}
	}
}
