package interp_test

import (
	"os"
	"testing"

	"girih/internal/lang/program"
)

func TestZZ(t *testing.T) {
	b, _ := os.ReadFile("/tmp/mem/g1.cu")
	out, msg := runAs(program.Cpp, string(b))
	t.Log(out, msg)
}
