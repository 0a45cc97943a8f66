import time, os, signal
def test_x(live_site):
    t=time.monotonic(); a=live_site.worker(PYTHONFAULTHANDLER="1"); print("worker ready", time.monotonic()-t)
    time.sleep(2)
    t=time.monotonic(); a.process.terminate(); 
    try: a.process.wait(1); print("exit", time.monotonic()-t)
    except Exception:
        os.kill(a.process.pid, signal.SIGABRT); a.process.wait(20); print("aborted", time.monotonic()-t)
    print(a.log.read_text()[-3500:])
