package cli

import (
	"encoding/json"
	"io"

	"github.com/spf13/cobra"
)

// jsonFlag gives the command the flag --json.
func jsonFlag(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "json", false, "print JSON, one object a line")
}

// integersFlag gives the command a flag that takes integers. There are none by default, which the help does not print
// as [].
func integersFlag(c *cobra.Command, to *[]int64, name, usage string) {
	c.Flags().Int64SliceVar(to, name, nil, usage)
	c.Flags().Lookup(name).DefValue = ""
}

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
