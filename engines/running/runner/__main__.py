"""Entry of the child process. Guarded: the spawned workers of a run import this module too."""

if __name__ == "__main__":
    from engines.running.runner.child import main

    main()
