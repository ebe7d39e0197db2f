// Loads a Compose file with the loader of the Compose plugin and prints the project as JSON; a file that it refuses ends
// with exit code 1 and the reason on stderr.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	project, err := load(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(project)
}

func load(file string) (string, error) {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithOsEnv)
	if err != nil {
		return "", err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return "", err
	}
	project, err = project.WithServicesEnvironmentResolved(true)
	if err != nil {
		return "", err
	}
	json, err := project.MarshalJSON()
	return string(json), err
}
