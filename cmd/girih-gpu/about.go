package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"

	"girih/internal/notice"
	"girih/internal/version"
)

var licensesCommand = command{"licenses", "", "print the licences of girih and of what is in it", func(
	_ context.Context, c *call,
) error {
	if _, err := c.flags(0, func(*flag.FlagSet) {}); err != nil {
		return err
	}
	_, err := io.WriteString(c.stdout, notice.Text)
	return err
}, ""}

var versionCommand = command{"version", "[--json]", "print the version", func(_ context.Context, c *call) error {
	asJSON := false
	if _, err := c.flags(0, func(fs *flag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "") }); err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(c.stdout).Encode(version.Current())
	}
	_, err := fmt.Fprintln(c.stdout, "girih-gpu", version.Current())
	return err
}, ""}
