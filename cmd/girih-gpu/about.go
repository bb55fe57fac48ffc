package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"

	"girih/internal/card/command"
	"girih/internal/notice"
	"girih/internal/version"
)

var licenses = command.Command{
	Name: "licenses",
	Help: "print the licences of girih and its parts",
	Run:  printLicenses,
}

func printLicenses(_ context.Context, c *command.Call) error {
	if _, err := c.Flags(0, func(*flag.FlagSet) {}); err != nil {
		return err
	}
	_, err := io.WriteString(c.Stdout, notice.Text())
	return err
}

var about = command.Command{Name: "version", Args: "[--json]", Help: "print the version", Run: printVersion}

func printVersion(_ context.Context, c *command.Call) error {
	asJSON := false
	if _, err := c.Flags(0, func(fs *flag.FlagSet) { fs.BoolVar(&asJSON, "json", false, "") }); err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(c.Stdout).Encode(version.Current())
	}
	_, err := fmt.Fprintln(c.Stdout, "girih-gpu", version.Current())
	return err
}
