import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What every customer of a Java library does: `PORT SYSTEM_ID PASSWORD MODE COUNT HEX…`; its end is that of its standard input. */
abstract class Esme {
    enum Mode { TRANSMITTER, RECEIVER, TRANSCEIVER }

    interface Link {
        boolean isUp();
        String submit(String key, byte[] octets, int esmClass) throws Exception;
        void unbind();
    }

    private record Item(String key, byte[] octets, int esmClass) {}

    protected final int port;
    protected final String systemId;
    protected final String password;
    private final boolean isApart;
    private final boolean isRefused;
    private final Queue<Item> waiting = new ConcurrentLinkedQueue<>();
    private Link transmitter;
    private volatile Link receiver;

    Esme(String[] args) {
        port = Integer.parseInt(args[0]);
        systemId = args[1];
        password = args[2];
        isApart = args[3].equals("apart");
        isRefused = args[3].equals("refused");
        for (int part = 5; part < args.length; part++)
            waiting.add(new Item("part-" + (part - 5), java.util.HexFormat.of().parseHex(args[part]), 0x40));
        for (int item = 0; item < Integer.parseInt(args[4]); item++)
            waiting.add(new Item("item-" + item, ("item " + item).getBytes(StandardCharsets.UTF_16BE), 0));
    }

    protected abstract Link bind(Mode mode) throws Exception;

    void run() throws Exception {
        if (isRefused) tellRefusal();
        if (isApart) start(this::receive);
        // Ten at once are the window.
        for (int thread = 0; thread < 10; thread++) start(this::submitAll);
        while (System.in.read() >= 0) {}
        Link bound = transmitter;
        if (bound != null) bound.unbind();
        if (receiver != null) receiver.unbind();
        Told.line("ended");
        System.exit(0);
    }

    /** Tells what the library says about a bind that is refused. */
    private void tellRefusal() {
        StringBuilder words = new StringBuilder();
        try {
            bind(Mode.TRANSCEIVER);
        } catch (Exception refusal) {
            for (Throwable cause = refusal; cause != null; cause = cause.getCause()) words.append(cause).append("; ");
        }
        Told.line("refused", "words", words.toString());
        System.exit(0);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    private void receive() {
        for (;;) {
            if (receiver == null || !receiver.isUp()) receiver = boundAs(Mode.RECEIVER);
            pause();
        }
    }

    private void submitAll() {
        for (;;) {
            Link link = link();
            Item item = waiting.poll();
            if (item == null) {
                pause();
                continue;
            }
            try {
                Told.line("submitted", "key", item.key, "id", link.submit(item.key, item.octets, item.esmClass));
            } catch (Exception failure) {
                waiting.add(item);
                pause();
            }
        }
    }

    private synchronized Link link() {
        if (transmitter == null || !transmitter.isUp()) transmitter = boundAs(isApart ? Mode.TRANSMITTER : Mode.TRANSCEIVER);
        return transmitter;
    }

    private Link boundAs(Mode mode) {
        for (;;) {
            try {
                return bind(mode);
            } catch (Exception refused) {
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
