package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// jsonFlag gives the command the flag --json.
func jsonFlag(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "json", false, "print JSON, one object a line")
}

// integersFlag gives the command a flag that takes integers.
func integersFlag(c *cobra.Command, to *[]int64, name, usage string) {
	c.Flags().Var((*integers)(to), name, usage)
}

// integers is the value of a flag that takes integers: 32,8 or (32,8), as tuples are written elsewhere. A repeated
// flag adds to the list.
type integers []int64

func (x *integers) Set(text string) error {
	inner := strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(inner, "("); ok {
		if inner, ok = strings.CutSuffix(rest, ")"); !ok {
			return fmt.Errorf("expected ) at the end of %.40q", text)
		}
		inner = strings.TrimSuffix(strings.TrimSpace(inner), ",") // the tuple (8,)
	}
	for part := range strings.SplitSeq(inner, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil {
			return fmt.Errorf("expected integers such as 32,8 or (32,8), found %.40q", text)
		}
		*x = append(*x, n)
	}
	return nil
}

func (x *integers) String() string { return "" } // the help prints no default

// Type is the name of the value in the help, unless the usage names it.
func (x *integers) Type() string { return "ints" }

// newEncoder returns an encoder that writes one object a line and keeps < and > readable.
func newEncoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

// writeJSON writes one object to the standard output of c.
func writeJSON(c *cobra.Command, v any) error {
	if err := newEncoder(c.OutOrStdout()).Encode(v); err != nil {
		return &writeError{err: err}
	}
	return nil
}
